import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { sortKeys, type SortOrder } from '../../../engine/search/filterGrammar.ts';
import { groupings, type Grouping } from '../../../engine/search/groupTickets.ts';
import type { KeptText } from '../../../store/shared/keptText.ts';

/** View options of a tracker. */
export interface TreeChoice {
	readonly grouping: Grouping;
	/** Applies unless the tracker's filter sorts. */
	readonly order: SortOrder;
}

/** As servers list tickets. */
export const firstChoice: TreeChoice = { grouping: 'none', order: { key: 'number', isReversed: false } };

/** View options of all accounts, stored until the sign-out. */
export type TreeChoices = ReturnType<typeof treeChoices>;

/** `keptFor` returns the storage for one account's choices. */
export function treeChoices(keptFor: (connectionKey: string) => KeptText) {
	const changed = new Emitter<{ readonly connectionKey: string; readonly ref: TrackerRef }>();
	/** Parsed choices by account: each row asks for its own. */
	const read = new Map<string, { readonly text: unknown; readonly choices: ReadonlyMap<string, TreeChoice> }>();

	/** Parse again after each change: other windows write it, and a sign-out deletes it. */
	function choicesOf(connectionKey: string): ReadonlyMap<string, TreeChoice> {
		const text = keptFor(connectionKey).read();
		const before = read.get(connectionKey);
		const known = before && before.text === text ? before : { text, choices: parsed(text) };
		read.set(connectionKey, known);
		return known.choices;
	}

	async function keep(connectionKey: string, ref: TrackerRef, all: ReadonlyMap<string, TreeChoice>): Promise<void> {
		const kept = keptFor(connectionKey).write(JSON.stringify(Object.fromEntries(all)));
		changed.fire({ connectionKey, ref });
		await kept;
	}

	return {
		of: (connectionKey: string, ref: TrackerRef) => choicesOf(connectionKey).get(keyOf(ref)) ?? firstChoice,
		choose: (connectionKey: string, ref: TrackerRef, choice: TreeChoice) =>
			keep(connectionKey, ref, new Map(choicesOf(connectionKey)).set(keyOf(ref), choice)),
		/** Resets the tracker's view. Resolves after the save. */
		async forget(connectionKey: string, ref: TrackerRef) {
			const others = new Map(choicesOf(connectionKey));
			if (others.delete(keyOf(ref))) {
				await keep(connectionKey, ref, others);
			}
		},
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

/** Servers look trackers up without regard to case (docs/protocol.md#tracker-look-up). */
function keyOf(ref: TrackerRef): string {
	return refText(ref).toLowerCase();
}

function parsed(text: unknown): ReadonlyMap<string, TreeChoice> {
	try {
		const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
		return new Map(
			Object.entries(isRecord(value) ? value : {}).flatMap(([name, entry]) => {
				if (!isRecord(entry) || !isRecord(entry['order'])) {
					return [];
				}
				const { key: keyWord, isReversed } = entry['order'];
				const grouping = groupings.find((each) => each === entry['grouping']);
				const key = sortKeys.find((each) => each === keyWord);
				return grouping && key ? [[name, { grouping, order: { key, isReversed: isReversed === true } }] as const] : [];
			}),
		);
	} catch {
		return new Map(); // Not ours; the next choice replaces it.
	}
}

const showKey = 'tickets.show';

/** Initial selection for a tracker without applied filter; `open` collapses resolved tickets. */
export type WhichTickets = 'open' | 'all';

/** The setting `forge.tickets.show`. */
export type ShownTickets = ReturnType<typeof shownTickets>;

/** Settings may have any type. */
export function shownTickets(workspace: typeof vscode.workspace) {
	return {
		now: (): WhichTickets => (workspace.getConfiguration('forge').get<unknown>(showKey) === 'all' ? 'all' : 'open'),
		onDidChange: (listener: () => void): Disposable =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`forge.${showKey}`)) {
					listener();
				}
			}),
	};
}
