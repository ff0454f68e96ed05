import type * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Event } from '@forge-desk/base/event.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { PatchsetStatus } from 'sourcehut/port/list.ts';
import type { TicketResolution, TicketStatus } from 'sourcehut/port/ticket.ts';
import type { Connections } from '../../store/connection.ts';
import type { Watched } from '../../store/inbox/watched.ts';
import type { KeptText } from '../../store/shared/keptText.ts';
import type { InboxSettings } from './inboxSettings.ts';

/** The part of a view that carries a number. */
export type BadgedView = Pick<vscode.TreeView<unknown>, 'badge'>;

/**
 * Labels owned by other areas, so that a status has the same name everywhere. Server text in labels is visible text.
 */
export interface InboxWords {
	readonly ticketStatus: (status: TicketStatus) => string;
	/** Form for use inside a sentence. */
	readonly resolution: (resolution: TicketResolution) => string;
	readonly patchsetStatus: (status: PatchsetStatus) => string;
}

/** A thing that the user can watch. */
export interface WatchedSubject {
	readonly connectionKey: string;
	readonly watched: Watched;
}

export interface InboxContext {
	readonly connections: Connections;
	readonly problems: Problems;
	readonly clock: Clock;
	readonly view: BadgedView;
	readonly words: InboxWords;
	readonly settings: InboxSettings;
	/** Maps a row of another view, a page's subject or a document to its watched thing; `undefined` if nothing can watch it. */
	readonly watchedOf: (subject: unknown) => WatchedSubject | undefined;
	/** The subject of the active page, or the address of the active document. */
	readonly pageInFront: () => unknown;
	readonly onDidChangeFront: Event<void>;
	/** Per-window storage of the "Show Done" state. */
	readonly doneShown: KeptText;
}
