/** One line of `ps -axo pid=,ppid=,rss=`: ids, and kilobytes of memory. */
type Listed = { pid: number; parent: number; kilobytes: number };

/**
 * Follows the processes that a script starts. macOS has no namespace of processes, so each look adds the children of the known ones. A
 * process stays known when its parent has ended.
 */
export function createProcessWatch(root: number) {
  let known = new Set([root]);
  return {
    /** Answers the processes that run now, and their memory in bytes. */
    look(list: string): { pids: number[]; bytes: number } {
      const listed = parsed(list);
      let size = 0;
      while (size !== known.size) {
        size = known.size;
        for (const { pid, parent } of listed) if (known.has(parent)) known.add(pid);
      }
      const running = listed.filter(({ pid }) => known.has(pid));
      // An id that has ended may be given to another program.
      known = new Set([root, ...running.map(({ pid }) => pid)]);
      return {
        pids: running.map(({ pid }) => pid),
        bytes: running.reduce((sum, { kilobytes }) => sum + kilobytes * 1024, 0),
      };
    },
  };
}

function parsed(list: string): Listed[] {
  return [...list.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s*$/gmu)].map(([, pid, parent, kilobytes]) => ({
    pid: Number(pid),
    parent: Number(parent),
    kilobytes: Number(kilobytes),
  }));
}
