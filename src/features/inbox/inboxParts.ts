import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { PatchsetStatus } from '../../forge/list.ts';
import type { TicketResolution, TicketStatus } from '../../forge/ticket.ts';
import type { Connections } from '../../state/connection.ts';
import type { Watched } from '../../state/inbox/watched.ts';
import type { KeptText } from '../../state/shared/keptText.ts';
import type { InboxSettings } from './inboxSettings.ts';

/** The part of a view that carries a number. */
export type BadgedView = Pick<vscode.TreeView<unknown>, 'badge'>;

/** Words of other areas, so that a status is called the same everywhere. What servers wrote in them is visible text. */
export interface InboxWords {
	readonly ticketStatus: (status: TicketStatus) => string;
	/** As it stands in sentences. */
	readonly resolution: (resolution: TicketResolution) => string;
	readonly patchsetStatus: (status: PatchsetStatus) => string;
}

/** What of the inbox can be chosen for something outside of it. */
export interface WatchedSubject {
	readonly connectionKey: string;
	readonly watched: Watched;
}

/** What the inbox needs of the rest of the program. */
export interface InboxParts {
	readonly connections: Connections;
	readonly problems: Problems;
	readonly clock: Clock;
	readonly view: BadgedView;
	readonly words: InboxWords;
	readonly settings: InboxSettings;
	/** What a row of another view or the subject of a page means; `undefined` for what cannot be watched. */
	readonly watchedOf: (subject: unknown) => WatchedSubject | undefined;
	/** What the page in front is about. */
	readonly pageInFront: () => unknown;
	/** Where it is kept for the window whether what is done is shown. */
	readonly doneShown: KeptText;
}
