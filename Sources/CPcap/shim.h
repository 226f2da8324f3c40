#pragma once
#include <pcap/pcap.h>
#include <stdio.h>
#include <zlib.h>

#ifndef __APPLE__
// fopencookie(3) is a GNU extension that <stdio.h> declares only under _GNU_SOURCE. Defined here, that macro would give
// this module another view of the C library than Swift's own, and the compiler refuses to merge the two.
#include <bits/types/cookie_io_functions_t.h>
extern FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
#endif

// libpcap reads from a FILE * and knows nothing of gzip. These few lines are a FILE * whose bytes come from zlib, so
// that a compressed capture is read in pieces like any other, without a temporary file and without memory for all of it.

#ifdef __APPLE__
static int capture_gzip_read(void *gzip, char *bytes, int count) {
    return gzread((gzFile)gzip, bytes, (unsigned)count);
}
#else
static ssize_t capture_gzip_read(void *gzip, char *bytes, size_t count) {
    return gzread((gzFile)gzip, bytes, count > 1u << 30 ? 1u << 30 : (unsigned)count);
}
#endif

static int capture_gzip_close(void *gzip) {
    return gzclose((gzFile)gzip) == Z_OK ? 0 : EOF;
}

/// A stream of what `gzip` inflates to (or holds, when it is not compressed). Closing it closes `gzip`.
static inline FILE *capture_gzip_stream(gzFile gzip) {
#ifdef __APPLE__
    return funopen(gzip, capture_gzip_read, NULL, NULL, capture_gzip_close);
#else
    cookie_io_functions_t functions = {capture_gzip_read, NULL, NULL, capture_gzip_close};
    return fopencookie(gzip, "r", functions);
#endif
}

/// Asks the processor to bring the memory at `address` near. Nothing is read there, so any address will do.
static inline void capture_prefetch(const void *address) { __builtin_prefetch(address); }
