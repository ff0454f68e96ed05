import type { Clock } from '@forge-desk/base/clock.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { Background } from '../../background/backgroundLoop.ts';
import type { ReadMarks } from '../../readMarks/storedReadMarks.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { WriteJournal } from '../../shared/writeJournal.ts';
import type { TicketStore } from '../ticketStore.ts';

/** Context of all writes to tickets, labels and trackers of an account. */
export interface TicketWriting {
	readonly api: TrackerApi;
	readonly store: TicketStore;
	readonly looks: ReadMarks;
	readonly journal: WriteJournal;
	readonly outbox: Outbox;
	/** A limit of requests holds for both: one rests, the other queues. */
	readonly background: Background;
	/** `~name` of the account; others' comments are not its writes. */
	readonly me: OwnerName;
	readonly clock: Clock;
}
