import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RiskHistory } from '../../renderer/src/guardian/RiskPanel.tsx';

test('a bar of the history of risk is as high as the score is of 100', () => {
  const history = [25, null, 50, 100].map((score, index) => ({ at: `2026-05-0${index + 1}T00:00:00.000Z`, score }));
  const drawn = renderToStaticMarkup(createElement(RiskHistory, { history }));
  const bars = [...drawn.matchAll(/ y="(\d+)" width="\d+" height="(\d+)"/g)].map(([, y, height]) => [y, height]);
  expect(bars).toEqual([
    ['27', '9'],
    ['18', '18'],
    ['0', '36'],
  ]);
});
