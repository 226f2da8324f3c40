// A userspace router between TUN devices in several network namespaces, with per-path impairment
// (for kernels without sch_netem). One TUN per port; a packet goes to the port that owns its destination address.
// usage: router -c control.fifo -l log.csv PORTNAME=netns:ifname:ip [...]
// control commands, one a line, on the control FIFO (or stdin):
//   set IN OUT key=value...   keys: loss(%) delay(ms) jitter(ms sd) dist(normal|uniform) order(0|1) dup(%) reorder(%)
//   rgap(ms)
//                             rate(kbit/s, 0 = none) qlen(ms of queue) burst(1/r: mean loss burst length, Gilbert)
//                             down(0|1) corrupt(%)
//   gap IN OUT N      the path is down until it has dropped N packets of sound or picture (RTP with a new timestamp)
//   jump IN OUT PT N  from now on the RTP sequence numbers of payload type PT are N higher, as a selective forwarding
//                     unit that resumes a stream may number them (the calls must not be encrypted: SRTP authenticates
//                     them)
//   IN/OUT may be '*'.   quit ends.   mark TEXT writes a mark in the log.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <math.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAXP 8
typedef struct {
  char name[32], ns[64], ifn[32], ip[32];
  uint32_t addr;
  int fd;
} Port;
typedef struct {
  double loss, delay, jitter, dup, reorder, rgap, rate, qms, burst, corrupt;
  int uniform, order, down, gap, jump, jumppt;
  uint32_t gapts;
  int bad;
  double busy_until, last_out;
} Imp;
typedef struct {
  double due;
  uint64_t seq;
  int out;
  int len;
  unsigned char *buf;
  long logid;
} Ev;

static Port P[MAXP];
static int NP;
static Imp I[MAXP][MAXP];
static Ev *heap;
static int hn, hcap;
static uint64_t seqno;
static FILE *LOG;
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}
static uint64_t rs = 88172645463325252ULL;
static double rnd(void) {
  rs ^= rs << 13;
  rs ^= rs >> 7;
  rs ^= rs << 17;
  return (rs >> 11) * (1.0 / 9007199254740992.0);
}
static double gauss(void) {
  double u = rnd(), v = rnd();
  if (u < 1e-12)
    u = 1e-12;
  return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}
static int less(Ev *a, Ev *b) {
  return a->due < b->due || (a->due == b->due && a->seq < b->seq);
}
static void push(Ev e) {
  if (hn == hcap) {
    hcap = hcap ? hcap * 2 : 1024;
    heap = realloc(heap, hcap * sizeof(Ev));
  }
  int i = hn++;
  heap[i] = e;
  while (i && less(&heap[i], &heap[(i - 1) / 2])) {
    Ev t = heap[i];
    heap[i] = heap[(i - 1) / 2];
    heap[(i - 1) / 2] = t;
    i = (i - 1) / 2;
  }
}
static Ev pop(void) {
  Ev r = heap[0];
  heap[0] = heap[--hn];
  int i = 0;
  for (;;) {
    int l = 2 * i + 1, m = i;
    if (l < hn && less(&heap[l], &heap[m]))
      m = l;
    if (l + 1 < hn && less(&heap[l + 1], &heap[m]))
      m = l + 1;
    if (m == i)
      break;
    Ev t = heap[i];
    heap[i] = heap[m];
    heap[m] = t;
    i = m;
  }
  return r;
}
static int opentun(const char *ns, const char *ifn) {
  char path[128];
  int self = open("/proc/self/ns/net", O_RDONLY);
  snprintf(path, sizeof path, "/var/run/netns/%s", ns);
  int n = open(path, O_RDONLY);
  if (n < 0) {
    perror(path);
    exit(1);
  }
  if (setns(n, CLONE_NEWNET)) {
    perror("setns");
    exit(1);
  }
  close(n);
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  struct ifreq r;
  memset(&r, 0, sizeof r);
  r.ifr_flags = IFF_TUN | IFF_NO_PI;
  strncpy(r.ifr_name, ifn, IFNAMSIZ - 1);
  if (ioctl(fd, TUNSETIFF, &r)) {
    perror("TUNSETIFF");
    exit(1);
  }
  setns(self, CLONE_NEWNET);
  close(self);
  return fd;
}
static int portnamed(const char *s) {
  for (int i = 0; i < NP; i++)
    if (!strcmp(P[i].name, s))
      return i;
  return -1;
}
static void setk(Imp *m, char *k, char *v) {
  double d = atof(v);
  if (!strcmp(k, "loss"))
    m->loss = d;
  else if (!strcmp(k, "delay"))
    m->delay = d;
  else if (!strcmp(k, "jitter"))
    m->jitter = d;
  else if (!strcmp(k, "dist"))
    m->uniform = !strcmp(v, "uniform");
  else if (!strcmp(k, "order"))
    m->order = d;
  else if (!strcmp(k, "dup"))
    m->dup = d;
  else if (!strcmp(k, "reorder"))
    m->reorder = d;
  else if (!strcmp(k, "rgap"))
    m->rgap = d;
  else if (!strcmp(k, "rate"))
    m->rate = d;
  else if (!strcmp(k, "qlen"))
    m->qms = d;
  else if (!strcmp(k, "burst"))
    m->burst = d;
  else if (!strcmp(k, "down"))
    m->down = d;
  else if (!strcmp(k, "corrupt"))
    m->corrupt = d;
  else
    fprintf(stderr, "unknown key %s\n", k);
}
static void command(char *line) {
  line[strcspn(line, "\n")] = 0;
  if (!*line)
    return;
  fprintf(LOG, "#,%.6f,%s\n", now(), line);
  fflush(LOG);
  char *sv, *w = strtok_r(line, " ", &sv);
  if (!w)
    return;
  if (!strcmp(w, "quit")) {
    fclose(LOG);
    exit(0);
  }
  int gap = !strcmp(w, "gap"), jump = !strcmp(w, "jump");
  if (strcmp(w, "set") && !gap && !jump)
    return;
  char *a = strtok_r(0, " ", &sv), *b = strtok_r(0, " ", &sv);
  if (!a || !b)
    return;
  int ia = portnamed(a), ib = portnamed(b);
  char *kv[32];
  int n = 0;
  while (n < 32 && (kv[n] = strtok_r(0, " ", &sv)))
    n++;
  if (gap || jump) {
    for (int x = 0; x < NP; x++)
      for (int y = 0; y < NP; y++)
        if ((*a == '*' || x == ia) && (*b == '*' || y == ib)) {
          Imp *m = &I[x][y];
          if (gap && n > 0)
            m->gap = atoi(kv[0]);
          if (jump && n > 1) {
            m->jumppt = atoi(kv[0]);
            m->jump += atoi(kv[1]);
          }
        }
    return;
  }
  for (int j = 0; j < n; j++) {
    char *e = strchr(kv[j], '=');
    if (!e)
      continue;
    *e = 0;
    for (int x = 0; x < NP; x++)
      for (int y = 0; y < NP; y++)
        if ((*a == '*' || x == ia) && (*b == '*' || y == ib))
          setk(&I[x][y], kv[j], e + 1);
  }
}
// The payload type of an RTP packet and its timestamp, -1 for anything else.
static int rtp(unsigned char *b, int len, uint32_t *ts) {
  int ihl = (b[0] & 15) * 4;
  if (b[9] != 17 || len < ihl + 8 + 12)
    return -1;
  unsigned char *u = b + ihl + 8;
  if ((u[0] >> 6) != 2 || (u[1] >= 192 && u[1] <= 223))
    return -1;
  *ts = (uint32_t)u[4] << 24 | u[5] << 16 | u[6] << 8 | u[7];
  return u[1] & 127;
}
// A UDP checksum of 0 says that there is none (RFC 768).
static void renumber(unsigned char *b, int by) {
  unsigned char *h = b + (b[0] & 15) * 4, *u = h + 8;
  unsigned q = ((u[2] << 8 | u[3]) + by) & 0xFFFF;
  u[2] = q >> 8;
  u[3] = q;
  h[6] = h[7] = 0;
}
static void logpkt(double t, int in, int out, unsigned char *b, int len, char fate, double tout) {
  int ihl = (b[0] & 15) * 4, proto = b[9];
  int sp = 0, dp = 0;
  const char *kind = "other";
  unsigned pt = 0, sq = 0;
  uint32_t ts = 0, ssrc = 0;
  int plen = len - ihl;
  if ((proto == 17 || proto == 6) && plen >= 8) {
    sp = b[ihl] << 8 | b[ihl + 1];
    dp = b[ihl + 2] << 8 | b[ihl + 3];
  }
  if (proto == 17 && plen > 8) {
    unsigned char *u = b + ihl + 8;
    int n = plen - 8;
    if (n >= 12 && (u[0] >> 6) == 2) {
      if (u[1] >= 192 && u[1] <= 223) {
        kind = "rtcp";
        pt = u[1];
        ssrc = (uint32_t)u[4] << 24 | u[5] << 16 | u[6] << 8 | u[7];
      } else {
        kind = "rtp";
        pt = u[1] & 127;
        sq = u[2] << 8 | u[3];
        ts = (uint32_t)u[4] << 24 | u[5] << 16 | u[6] << 8 | u[7];
        ssrc = (uint32_t)u[8] << 24 | u[9] << 16 | u[10] << 8 | u[11];
      }
    } else if (u[0] < 4)
      kind = "stun";
    else if (u[0] >= 20 && u[0] <= 63)
      kind = "dtls";
    else if (u[0] >= 64 && u[0] <= 79)
      kind = "turnchan";
    else
      kind = "udp";
  } else if (proto == 6)
    kind = "tcp";
  else if (proto == 1)
    kind = "icmp";
  fprintf(LOG, "%.6f,%s,%s,%s,%d,%d,%d,%u,%u,%u,%u,%c,%.6f\n", t, P[in].name, out >= 0 ? P[out].name : "-", kind, len,
          sp, dp, pt, ssrc, sq, ts, fate, tout);
}
int main(int c, char **v) {
  const char *ctl = 0, *lf = "wire.csv";
  int o;
  struct sched_param sp = {.sched_priority = 20};
  sched_setscheduler(0, SCHED_FIFO, &sp);
  signal(SIGPIPE, SIG_IGN);
  while ((o = getopt(c, v, "c:l:s:")) > 0)
    if (o == 'c')
      ctl = optarg;
    else if (o == 'l')
      lf = optarg;
    else if (o == 's')
      rs = strtoull(optarg, 0, 10) * 2654435761ULL + 88172645463325252ULL;
  LOG = fopen(lf, "w");
  setvbuf(LOG, 0, _IOFBF, 1 << 16);
  fprintf(LOG, "t_in,in,out,kind,len,sport,dport,pt,ssrc,seq,rtpts,fate,t_out\n");
  for (; optind < c; optind++) {
    Port *p = &P[NP++];
    if (sscanf(v[optind], "%31[^=]=%63[^:]:%31[^:]:%31s", p->name, p->ns, p->ifn, p->ip) != 4) {
      fprintf(stderr, "bad port %s\n", v[optind]);
      return 1;
    }
    inet_pton(AF_INET, p->ip, &p->addr);
    p->fd = opentun(p->ns, p->ifn);
  }
  for (int x = 0; x < NP; x++)
    for (int y = 0; y < NP; y++) {
      I[x][y].order = 0;
      I[x][y].qms = 500;
      I[x][y].burst = 1;
    }
  int cfd = 0;
  FILE *cf = stdin;
  if (ctl) {
    mkfifo(ctl, 0600);
    cfd = open(ctl, O_RDWR | O_NONBLOCK);
    cf = 0;
  }
  char cb[65536];
  int cn = 0;
  (void)cf;
  printf("ready\n");
  fflush(stdout);
  unsigned char b[70000];
  for (;;) {
    struct pollfd f[MAXP + 1];
    for (int i = 0; i < NP; i++) {
      f[i].fd = P[i].fd;
      f[i].events = POLLIN;
    }
    f[NP].fd = cfd;
    f[NP].events = POLLIN;
    struct timespec ts = {1, 0};
    if (hn) {
      double d = heap[0].due - now();
      if (d < 0)
        d = 0;
      if (d > 1)
        d = 1;
      ts.tv_sec = d;
      ts.tv_nsec = (d - (long)d) * 1e9;
    }
    ppoll(f, NP + 1, &ts, 0);
    if (f[NP].revents & POLLIN) {
      int n = read(cfd, cb + cn, sizeof cb - 1 - cn);
      if (n > 0) {
        cn += n;
        cb[cn] = 0;
        char *p = cb, *e;
        while ((e = strchr(p, '\n'))) {
          *e = 0;
          command(p);
          p = e + 1;
        }
        cn -= p - cb;
        memmove(cb, p, cn + 1);
      }
    }
    for (int i = 0; i < NP; i++)
      if (f[i].revents & POLLIN)
        for (int k = 0; k < 64; k++) {
          int n = read(P[i].fd, b, sizeof b);
          if (n <= 0)
            break;
          double t = now();
          if ((b[0] >> 4) != 4 || n < 20)
            continue;
          uint32_t dst;
          memcpy(&dst, b + 16, 4);
          int out = -1;
          for (int j = 0; j < NP; j++)
            if (P[j].addr == dst)
              out = j;
          if (out < 0) {
            logpkt(t, i, -1, b, n, 'N', 0);
            continue;
          }
          Imp *m = &I[i][out];
          uint32_t ts;
          int pt = rtp(b, n, &ts);
          if (m->gap > 0) {
            if (pt >= 0 && ts != m->gapts) {
              m->gap--;
              m->gapts = ts;
            }
            logpkt(t, i, out, b, n, 'D', 0);
            continue;
          }
          if (m->down) {
            logpkt(t, i, out, b, n, 'D', 0);
            continue;
          }
          if (m->jump && pt == m->jumppt)
            renumber(b, m->jump);
          int lost = 0;
          if (m->loss > 0) {
            if (m->burst > 1.001) {
              double r = 1 / m->burst, pl = m->loss / 100, p = r * pl / (1 - pl);
              if (m->bad) {
                if (rnd() < r)
                  m->bad = 0;
              } else if (rnd() < p)
                m->bad = 1;
              lost = m->bad;
            } else
              lost = rnd() * 100 < m->loss;
          }
          if (lost) {
            logpkt(t, i, out, b, n, 'L', 0);
            continue;
          }
          if (m->corrupt > 0 && rnd() * 100 < m->corrupt && n > 40) {
            b[n - 1 - (int)(rnd() * 8)] ^= 0x55;
          }
          double due = t;
          if (m->rate > 0) {
            double st = m->busy_until > t ? m->busy_until : t;
            if ((st - t) * 1000 > m->qms) {
              logpkt(t, i, out, b, n, 'Q', 0);
              continue;
            }
            m->busy_until = st + n * 8 / (m->rate * 1000);
            due = m->busy_until;
          }
          double d = m->delay;
          if (m->jitter > 0)
            d += m->uniform ? (rnd() * 2 - 1) * m->jitter : gauss() * m->jitter;
          if (d < 0)
            d = 0;
          if (m->reorder > 0 && rnd() * 100 < m->reorder) {
            d += m->rgap > 0 ? m->rgap : 30;
            due += d / 1000;
          } else {
            due += d / 1000;
            if (m->order) {
              if (due < m->last_out)
                due = m->last_out + 1e-6;
              m->last_out = due;
            }
          }
          int copies = 1 + (m->dup > 0 && rnd() * 100 < m->dup);
          for (int q = 0; q < copies; q++) {
            if (due <= t + 2e-5) {
              int w = write(P[out].fd, b, n);
              (void)w;
              logpkt(t, i, out, b, n, q ? 'U' : 'P', now());
            } else {
              Ev e = {due, seqno++, out, n, malloc(n), 0};
              memcpy(e.buf, b, n);
              push(e);
              logpkt(t, i, out, b, n, q ? 'U' : 'P', due);
            }
          }
        }
    double t = now();
    while (hn && heap[0].due <= t + 1e-5) {
      Ev e = pop();
      int w = write(P[e.out].fd, e.buf, e.len);
      (void)w;
      free(e.buf);
    }
  }
}
