/**
 * The attempts that a foreign page can make. Each gets the address of the target and an action that would run, and reports
 * how it ended as far as a page can see that.
 */
const attempts = {
  'a fetch with JSON': ({ origin, action }) =>
    fetch(`${origin}/api/tee/actions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user-id': 'ann' },
      body: action,
    }).then(answered, String),

  'a no-cors fetch with text/plain': ({ origin, action }) =>
    fetch(`${origin}/api/tee/actions`, { method: 'POST', mode: 'no-cors', body: action }).then(answered, String),

  'a fetch that reads': ({ origin }) => fetch(`${origin}/health`).then(answered, String),

  'a no-cors fetch that reads': ({ origin }) =>
    fetch(`${origin}/api/tee/devices`, { mode: 'no-cors' }).then(answered, String),

  'a beacon': ({ origin, action }) => `sent ${navigator.sendBeacon(`${origin}/api/tee/actions`, action)}`,

  'a form': ({ origin, action }) => {
    const frame = Object.assign(document.createElement('iframe'), { name: 'answer' });
    const form = Object.assign(document.createElement('form'), {
      method: 'POST',
      enctype: 'text/plain',
      action: `${origin}/api/tee/actions`,
      target: 'answer',
    });
    form.append(Object.assign(document.createElement('input'), { name: action.slice(0, -1), value: '}' }));
    document.body.append(frame, form);
    const ended = new Promise((resolve) => frame.addEventListener('load', () => resolve('ended')));
    form.submit();
    return ended;
  },

  'an image': ({ origin }) => loading('img', `${origin}/docs/static/favicon-32x32.png`),

  'a script': ({ origin }) => loading('script', `${origin}/docs/static/swagger-ui-bundle.js`),

  'a frame': ({ origin }) => loading('iframe', `${origin}/docs`).then(() => 'ended'),

  'an EventSource': ({ origin }) =>
    new Promise((resolve) => {
      const source = new EventSource(`${origin}/api/tee/events`);
      source.onopen = () => resolve('open');
      source.onerror = () => {
        source.close();
        resolve('error');
      };
    }),

  'a WebSocket': ({ origin }) =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/tee/agent`);
      socket.onopen = () => resolve('open');
      socket.onclose = ({ code }) => resolve(`closed ${code}`);
    }),
};

function answered({ type, status }) {
  return type === 'opaque' ? 'opaque' : `answered ${status}`;
}

function loading(tag, src) {
  return new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = () => resolve('loaded');
    element.onerror = () => resolve('error');
    element.src = src;
    document.body.append(element);
  });
}

Object.assign(window, { attempts });
