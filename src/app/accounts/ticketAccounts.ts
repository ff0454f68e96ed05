import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Event, Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { backgroundLoop, type Background, type Presence } from '../../state/background/backgroundLoop.ts';
import { indexKeeper, type IndexFiles, type IndexKeeper } from '../../state/tickets/index/indexKeeper.ts';
import type { KeptText } from '../../state/shared/keptText.ts';
import type { KeptTimelines } from '../../state/tickets/keptTimelines.ts';
import { keptSent } from '../../state/tickets/index/keptSent.ts';
import { requestBudget } from '../../state/background/requestBudget.ts';
import { type TicketIndex, ticketIndexer } from '../../state/tickets/index/ticketIndexer.ts';
import type { KeptNames } from '../../state/shared/keptNames.ts';
import { TicketStore } from '../../state/tickets/ticketStore.ts';
import type { BareConnection } from './connections.ts';
import { indexFolders } from '../../storage/indexFiles.ts';

type Settings = Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>;

/** What the tickets of all accounts have in common. */
export interface TicketAccountsParts {
	/** Below it everything is kept. */
	readonly folder: string;
	readonly editor: { readonly window: WindowState; readonly workspace: Settings };
	/** A number from 0 to 1. */
	readonly random: () => number;
	readonly clock: Clock;
	readonly log: Log;
}

/** Opens the tickets of accounts, and forgets what was kept of them. */
export interface TicketAccounts extends Disposable {
	open(bare: BareConnection, kept: KeptForTickets): AccountTickets;
	/** Deletes everything that is kept of an account. */
	forget(connectionKey: string): Promise<void>;
	/** Deletes what is kept of accounts that are signed in no more, wherever they signed out. */
	keepOnly(connectionKeys: readonly string[]): Promise<void>;
	/** Somebody comes back to this window. */
	readonly onReturn: Event<void>;
}

/** What is kept for the tickets of one account, beside their index. */
export interface KeptForTickets {
	/** Others' trackers that it follows. */
	readonly followed: KeptNames;
	/** Where its windows keep when requests were sent. */
	readonly sent: KeptText;
	/** Tickets that were read, with their timelines; absent where they do not outlive the window. */
	readonly disk: KeptTimelines | undefined;
}

/** The tickets of one account: what is known of them, read in the background and kept on the disk. */
export interface AccountTickets extends Disposable {
	readonly tickets: TicketStore;
	readonly index: TicketIndex;
	/** For what else is read while nobody waits for it. */
	readonly background: Background;
}

/** Each account gets a budget of its own; whether somebody is there holds for all. */
export function ticketAccounts({ folder, editor, random, clock, log }: TicketAccountsParts): TicketAccounts {
	const presence = windowPresence(editor.window);
	const folders = indexFolders(folder);
	const perHour = requestsPerHour(editor.workspace);
	// The background plans anew whenever presence changes, and another budget needs nothing else.
	const plans: Presence = {
		isThere: () => presence.isThere(),
		onDidChange(listener) {
			const heard = new Disposables();
			heard.add(presence.onDidChange(listener));
			heard.add(onBudget(editor.workspace, listener));
			return heard;
		},
	};
	const open = new Set<IndexKeeper>();
	return {
		open(bare, kept) {
			const keeper = bare.instance.isSample
				? undefined
				: keeperOf(folders.of(bare.key, bare.instance.areas.todo), clock, log);
			const tickets = accountTickets({ bare, ...kept, keeper, presence: plans, perHour, random, clock });
			if (keeper !== undefined) {
				open.add(keeper);
			}
			return {
				...tickets,
				dispose() {
					tickets.dispose();
					// When the window closes everything ends in one go, and only then is there something left to write.
					queueMicrotask(() => keeper && open.delete(keeper));
				},
			};
		},
		forget: (connectionKey) => folders.forget(connectionKey),
		keepOnly: (connectionKeys) => folders.keepOnly(connectionKeys),
		onReturn: (listener) => presence.onDidChange(() => presence.isThere() && listener()),
		dispose() {
			presence.dispose();
			for (const keeper of open) {
				void keeper.flush();
			}
		},
	};
}

/** Gives way to the extension host between slices of its work. */
function keeperOf(files: IndexFiles, clock: Clock, log: Log): IndexKeeper {
	return indexKeeper({
		files,
		clock,
		log,
		tickMs: () => performance.now(),
	});
}

interface AccountTicketsParts extends Pick<TicketAccountsParts, 'random' | 'clock'>, KeptForTickets {
	readonly bare: BareConnection;
	/** Absent for the sample forge: its world ends with its process, and the next one would be mistaken for it. */
	readonly keeper: IndexKeeper | undefined;
	readonly presence: Presence;
	readonly perHour: () => number;
}

function accountTickets(parts: AccountTicketsParts): AccountTickets {
	const { bare, followed, sent, disk, keeper, presence, perHour, random, clock } = parts;
	const owned = new Disposables();
	// The sample forge asks nobody's server, and nothing that was read of it is kept either.
	const memory = bare.instance.isSample ? undefined : owned.add(keptSent(sent, clock));
	const budget = requestBudget(perHour, () => clock.nowMs(), memory);
	const tickets = owned.add(
		new TicketStore({
			api: bare.forge.trackers,
			me: bare.me,
			followed,
			disk,
			clock,
			asks: () => budget.spend(),
			remembered: (tracker) => keeper?.remembered(tracker) ?? Promise.resolve(),
		}),
	);
	if (keeper !== undefined) {
		owned.add(keeper).attach(tickets);
	}
	const loop = owned.add(backgroundLoop({ presence, clock }));
	const index = owned.add(ticketIndexer({ store: tickets, clock, random, background: { budget, loop } }));
	return { tickets, index, background: { budget, loop }, dispose: () => owned.dispose() };
}

const usualPerHour = 300;
const setting = 'index.requestsPerHour';

/** The setting `forge.index.requestsPerHour`, read anew whenever it is asked for. */
function requestsPerHour(workspace: Settings): () => number {
	return () => {
		const value = workspace.getConfiguration('forge').get<unknown>(setting);
		return typeof value === 'number' && value >= 0 ? Math.min(3600, Math.floor(value)) : usualPerHour;
	};
}

function onBudget(workspace: Settings, listener: () => void): Disposable {
	return workspace.onDidChangeConfiguration((change) => {
		if (change.affectsConfiguration(`forge.${setting}`)) {
			listener();
		}
	});
}

/** What is asked of the editor's window. */
export type WindowState = Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>;

/** Somebody is there while the window has the focus. */
function windowPresence(window: WindowState): Presence & Disposable {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	owned.add(window.onDidChangeWindowState(() => changed.fire()));
	return { isThere: () => window.state.focused, onDidChange: changed.event, dispose: () => owned.dispose() };
}
