import { eventMask, type SelectionRequest } from 'x11';
import type { OwnXLine } from '../x-session.ts';
import type { Offer } from './selection-reader.ts';

/** A request to the server has at most 256 KiB. More than that goes in parts, and each is written when the one before was taken. */
export const MOST_AT_ONCE = 200_000;
/** A program that ends in the middle of a transfer leaves it behind. */
const MOST_TRANSFERS = 8;
const DELETED = 1;
const SELECTION_NOTIFY = 31;
const NONE = 0;

type Transfer = { window: number; property: number; offer: Offer; sent: number };

/** Answers the programs that want the contents of a selection of ours. */
export function createSelectionGiver(line: OwnXLine, incremental: number) {
  const transfers = new Map<string, Transfer>();
  line.onEvent((event) => {
    if (event.name !== 'PropertyNotify' || event.state !== DELETED) return;
    const transfer = transfers.get(nameOf(event.wid, event.atom));
    if (transfer !== undefined) writeNext(transfer);
  });

  function writeNext(transfer: Transfer): void {
    const { window, property, offer, sent } = transfer;
    const part = offer.data.subarray(sent, sent + MOST_AT_ONCE);
    line.tell((client) => client.ChangeProperty(0, window, property, offer.type, offer.format, part));
    transfer.sent += part.length;
    // An empty part is the last one.
    if (part.length === 0) transfers.delete(nameOf(window, property));
  }

  function begin(window: number, property: number, offer: Offer): void {
    const [oldest] = transfers.keys();
    if (oldest !== undefined && transfers.size >= MOST_TRANSFERS) transfers.delete(oldest);
    transfers.set(nameOf(window, property), { window, property, offer, sent: 0 });
    line.tell((client) => {
      client.ChangeWindowAttributes(window, { eventMask: eventMask.PropertyChange }, () => true);
      client.ChangeProperty(0, window, property, incremental, 32, [offer.data.length]);
    });
  }

  /** Without an offer the program is told that this form is not to be had. */
  return function give(
    { time, requestor, selection, target, property: wanted }: SelectionRequest,
    offer: Offer | undefined,
  ): void {
    const property = wanted === NONE ? target : wanted;
    if (offer !== undefined && offer.data.length > MOST_AT_ONCE) begin(requestor, property, offer);
    line.tell((client) => {
      if (offer !== undefined && offer.data.length <= MOST_AT_ONCE)
        client.ChangeProperty(0, requestor, property, offer.type, offer.format, offer.data);
      const answer = { time, requestor, selection, target, property: offer === undefined ? NONE : property };
      client.SendEvent(requestor, 0, 0, { type: SELECTION_NOTIFY, seq: 0, ...answer });
    });
  };
}

function nameOf(window: number, property: number): string {
  return `${window} ${property}`;
}
