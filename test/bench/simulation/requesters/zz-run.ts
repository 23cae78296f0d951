import { liveRequesters } from '/work/wt/guardian/test/bench/simulation/requesters/live.ts';

process.env.TZ = 'UTC';
const [seed, perDay, learned, quiet, days, only] = process.argv.slice(2);
const t = performance.now();
const lived = await liveRequesters({
  seed: Number(seed),
  perDay: Number(perDay),
  learnedDays: Number(learned),
  quietDays: Number(quiet),
  days: Number(days),
  ...(only ? { only: only.split(',') } : {}),
});
console.log(
  `seed ${seed} perDay ${perDay} learned ${learned}: ${((performance.now() - t) / 1000).toFixed(0)} s; false ${(lived.episodes.length / Math.max(0.01, lived.months)).toFixed(2)}/month`,
);
for (const e of lived.episodes)
  console.log(
    '   FALSE',
    new Date(e.fromMs).toISOString().slice(0, 10),
    ((e.untilMs - e.fromMs) / 86400000).toFixed(1) + 'd',
    e.cause,
    e.names.slice(0, 3).join('; ').slice(0, 260),
  );
for (const i of lived.incidents)
  console.log(
    `   ${i.isInTime ? 'ok  ' : 'MISS'} ${i.name.padEnd(40)} day ${i.firstDay} share ${i.toldShare.toFixed(2)} risk ${i.risk.join(',')} ${i.by.slice(0, 130)}`,
  );
