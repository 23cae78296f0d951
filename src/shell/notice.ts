/** The words of a notification. It stands on the locked screen, too, so that it names neither program nor action. */
export function noticeOf(waiting: number): { title: string; body: string } {
  return {
    title: 'Handrail needs your answer',
    body: waiting === 1 ? 'A request waits for you.' : `${waiting} requests wait for you.`,
  };
}
