// The HTML report: the records that stand in it, drawn by the code of the page.

import { html } from './elements.js';
import { recordView } from './record.js';

const { records } = JSON.parse(document.querySelector('#data').textContent);
document.querySelector('main').replaceChildren(...records.flatMap(data => [
  html('h1', { class: 'id' }, data.summary.callId, html('small', ` ${data.summary.observer}`)), recordView(data),
]));
