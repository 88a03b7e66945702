'use strict';
(() => {
  const list = document.getElementById('findings');
  const controls = document.getElementById('controls');
  if (!list || !controls) return;
  const all = [...list.children];
  const text = document.getElementById('filter');
  const order = document.getElementById('order');
  const shown = document.getElementById('shown');
  const picked = [...controls.querySelectorAll('input[type=checkbox]')];
  const said = all.map((item) => item.textContent.toLowerCase());
  const place = new Map(all.map((item, i) => [item, i]));
  const compare = new Intl.Collator('en', {numeric: true}).compare;
  function update() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const severities = new Set(picked.filter((box) => box.checked).map((box) => box.value));
    let n = 0;
    all.forEach((item, i) => {
      item.hidden = !severities.has(item.dataset.severity) || !words.every((word) => said[i].includes(word));
      if (!item.hidden) n++;
    });
    shown.textContent = n + ' of ' + all.length + ' findings shown';
  }
  function sort() {
    const key = order.value;
    const sorted = [...all].sort((a, b) => (key && compare(a.dataset[key], b.dataset[key])) || place.get(a) - place.get(b));
    list.append(...sorted);
  }
  text.addEventListener('input', update);
  picked.forEach((box) => box.addEventListener('change', update));
  order.addEventListener('change', sort);
  controls.hidden = false;
  order.value = '';
  sort();
  update();
})();
