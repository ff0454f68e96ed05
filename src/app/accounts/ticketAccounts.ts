import type * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { backgroundLoop, type Background, type Presence } from '../../store/background/backgroundLoop.ts';
import { indexKeeper, type IndexKeeper } from '../../store/tickets/index/indexKeeper.ts';
import type { KeptText } from '../../store/shared/keptText.ts';
import type { KeptTimelines } from '../../store/tickets/savedTickets.ts';
import { keptSent } from '../../store/tickets/index/keptSent.ts';
import { requestBudget } from '../../store/background/requestBudget.ts';
import { type TicketIndex, ticketIndexer } from '../../store/tickets/index/ticketIndexer.ts';
import type { KeptNames } from '../../store/shared/keptNames.ts';
import { TicketStore } from '../../store/tickets/ticketStore.ts';
import type { BareConnection } from './connections.ts';
import { indexFolders } from '../../machine/storage/indexFiles.ts';
import { originOf } from 'sourcehut/port/instance.ts';

type Settings = Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>;

/** An account's storage besides its index. */
export interface KeptForTickets {
	/** Followed trackers of other owners. */
	readonly followed: KeptNames;
	/** Request times, shared by the account's windows. */
	readonly sent: KeptText;
	/** Visited tickets; absent when nothing may be stored. */
	readonly disk: KeptTimelines | undefined;
}

/** Tickets of one account with their index. */
export interface AccountTickets extends Disposable {
	readonly tickets: TicketStore;
	readonly index: TicketIndex;
	/** For other background reads. */
	readonly background: Background;
}

/** Ticket stores of accounts. */
export type TicketAccounts = ReturnType<typeof ticketAccounts>;

const usualPerHour = 300;
const setting = 'index.requestsPerHour';

/** One request budget per account; presence is shared. `folder`: root of the index. `random`: from 0 to 1. */
export function ticketAccounts(
	folder: string,
	editor: { readonly window: WindowState; readonly workspace: Settings },
	random: () => number,
	clock: Clock,
	log: Log,
) {
	const presence = windowPresence(editor.window);
	const folders = indexFolders(folder);
	/** Reads the setting on each call. */
	const perHour = (): number => {
		const value = editor.workspace.getConfiguration('forge').get<unknown>(setting);
		return typeof value === 'number' && value >= 0 ? Math.min(3600, Math.floor(value)) : usualPerHour;
	};
	// A changed budget setting also triggers planning, like presence.
	const plans: Presence = {
		isThere: () => presence.isThere(),
		onDidChange(listener) {
			const heard = new Disposables();
			heard.add(presence.onDidChange(listener));
			heard.add(
				editor.workspace.onDidChangeConfiguration((change) => {
					if (change.affectsConfiguration(`forge.${setting}`)) {
						listener();
					}
				}),
			);
			return heard;
		},
	};
	const open = new Set<IndexKeeper>();

	/** `keeper`: absent for the sample forge, because the next process has a new world. */
	function accountTickets(
		{ instance, forge, me }: BareConnection,
		{ followed, sent, disk }: KeptForTickets,
		keeper: IndexKeeper | undefined,
	): AccountTickets {
		const owned = new Disposables();
		// The sample forge needs no rate limit across windows, and stores nothing.
		const memory = instance.isSample ? undefined : owned.add(keptSent(sent, clock));
		const budget = requestBudget(perHour, clock, memory);
		const tickets = owned.add(
			new TicketStore({
				api: forge.trackers,
				me: me,
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
		const loop = owned.add(backgroundLoop(plans, budget, clock));
		const index = owned.add(ticketIndexer(tickets, clock, { budget, loop }, random));
		return { tickets, index, background: { budget, loop }, dispose: () => owned.dispose() };
	}

	return {
		open(bare: BareConnection, kept: KeptForTickets): AccountTickets {
			const keeper = bare.instance.isSample
				? undefined
				: indexKeeper(folders.of(bare.key, originOf(bare.instance, 'todo')), clock, log, () => performance.now());
			const tickets = accountTickets(bare, kept, keeper);
			if (keeper !== undefined) {
				open.add(keeper);
			}
			return {
				...tickets,
				dispose() {
					tickets.dispose();
					// While the window closes, everything is disposed in one tick; only then does `flush` still need
					// the keeper.
					queueMicrotask(() => keeper && open.delete(keeper));
				},
			};
		},
		/** Deletes an account's index. */
		forget: (connectionKey: string) => folders.forget(connectionKey),
		/** Deletes the indexes of signed-out accounts. */
		keepOnly: (connectionKeys: readonly string[]) => folders.keepOnly(connectionKeys),
		/** Fires when the user returns to this window. */
		onReturn: (listener: () => void): Disposable => presence.onDidChange(() => presence.isThere() && listener()),
		dispose() {
			presence.dispose();
			for (const keeper of open) {
				void keeper.flush();
			}
		},
	};
}

/** The used part of `vscode.window`. */
export type WindowState = Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>;

/** The user is present while the window has focus. */
function windowPresence(window: WindowState): Presence & Disposable {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	owned.add(window.onDidChangeWindowState(() => changed.fire()));
	return { isThere: () => window.state.focused, onDidChange: changed.event, dispose: () => owned.dispose() };
}
