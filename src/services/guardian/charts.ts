import type { Context } from '../context.ts';
import { createBreakdown } from './breakdown.ts';
import { createConsoleSeries } from './console-series.ts';
import type { GuardianService } from './guardian-service.ts';
import { createOutcomes } from './outcomes.ts';
import { type createWindows, windowOf } from './windows.ts';

/** The series behind the charts of the dashboard. */
export function createCharts(
  context: Context,
  windows: ReturnType<typeof createWindows>,
): Pick<GuardianService, 'consoleSeries' | 'outcomes'> {
  const series = createConsoleSeries(windows);
  const outcomes = createOutcomes(windows);
  const breakdown = createBreakdown(context);
  return {
    consoleSeries(request, { breakdownOf, ...wanted }) {
      const span = windows.spanOf(request);
      const parts = breakdownOf === undefined ? {} : { breakdown: breakdown(breakdownOf, span) };
      return { window: windowOf(span), ...series({ ...wanted, span }, context.clock.nowMs()), ...parts };
    },
    outcomes(request, points) {
      const span = windows.spanOf(request);
      return { window: windowOf(span), ...outcomes(span, points, context.clock.nowMs()) };
    },
  };
}
