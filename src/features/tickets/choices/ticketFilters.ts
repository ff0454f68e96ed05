import type * as vscode from 'vscode';
import * as v from 'valibot';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { isRecord, subjectReader } from '../../../editor/commands/subjects.ts';
import type { FilterProblem } from '../../../engine/search/filterWords.ts';
import { parseTicketFilter } from '../../../engine/search/ticketFilter.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Connections } from '../../../store/connection.ts';
import type { KeptNames } from '../../../store/shared/keptNames.ts';

/** Settings file of a saved filter. */
export type FilterPlace = 'user' | 'workspace';

export interface FilterEntry {
	readonly name: string;
	/** As the user wrote it. */
	readonly filter: string;
}

/** An entry of the setting `forge.filters`. */
export interface SavedFilter extends FilterEntry {
	readonly where: FilterPlace;
	/** A problem that prevents the filter from running. Such entries still appear. */
	readonly problem?: FilterProblem | { readonly kind: 'notAnEntry' };
}

const filterEntry = v.object({ kind: v.literal('filter'), name: v.string(), where: v.picklist(['user', 'workspace']) });
/** Subject of commands on the unsaved filter over all trackers. */
const appliedFilter = v.object({ kind: v.literal('appliedFilter') });
const anyFilter = v.variant('kind', [filterEntry, appliedFilter]);
export type FilterSubject = Readonly<v.InferOutput<typeof anyFilter>>;
export const filterSubject = subjectReader(anyFilter);

/**
 * The setting `forge.filters` of the user and the workspace; values may have any type. The user's value is the default
 * until the first save.
 */
export type FilterSetting = ReturnType<typeof filterSetting>;

/** The editor's own setting. */
export function filterSetting(workspace: typeof vscode.workspace) {
	return {
		read(where: FilterPlace) {
			const found = workspace.getConfiguration('forge').inspect<unknown>('filters');
			return where === 'user' ? (found?.globalValue ?? found?.defaultValue) : found?.workspaceValue;
		},
		// `true` is the user's settings, `false` the workspace's.
		write: (where: FilterPlace, value: unknown): PromiseLike<void> =>
			workspace.getConfiguration('forge').update('filters', value, where === 'user'),
		/** False without an open folder, so that no filter can be shared. */
		hasWorkspace: () => workspace.workspaceFile !== undefined || (workspace.workspaceFolders ?? []).length > 0,
		onDidChange: (listener: () => void): Disposable =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration('forge.filters')) {
					listener();
				}
			}),
	};
}

/** All entries, the user's first. An invalid entry appears under its index with its problem. */
function readSaved(setting: FilterSetting): readonly SavedFilter[] {
	return (['user', 'workspace'] as const).flatMap((where) => {
		const value = setting.read(where);
		if (value === undefined) {
			return [];
		}
		return Array.isArray(value)
			? value.map((entry: unknown, at) => {
					const placeName = `#${at + 1}`;
					const { name, filter } = isRecord(entry) ? entry : {};
					const hasName = typeof name === 'string' && name.trim() !== '';
					if (!hasName || typeof filter !== 'string') {
						return notAnEntry(hasName ? name : placeName, typeof filter === 'string' ? filter : '', where);
					}
					const reading = parseTicketFilter(filter);
					return reading.kind === 'filter'
						? { name, filter, where }
						: { name, filter, where, problem: reading.problem };
				})
			: [notAnEntry('forge.filters', '', where)];
	});
}

function notAnEntry(name: string, filter: string, where: FilterPlace): SavedFilter {
	return { name, filter, where, problem: { kind: 'notAnEntry' } };
}

function isNamed(entry: unknown, name: string): boolean {
	return isRecord(entry) && entry['name'] === name;
}

/** Saved and applied filters. Applied filters survive the window. */
export type TicketFilters = ReturnType<typeof ticketFilters>;

/**
 * Stores applied filters in the editor's storage. A tracker's line is `~owner/name filter`, unambiguous because
 * references contain no blanks. `kept`: the lines of an account by its key, forgotten with it, and those of `all`.
 * `tellFiltered`: called now and after each change, with whether any filter is applied.
 */
export function ticketFilters(
	setting: FilterSetting,
	connections: Connections,
	kept: (owner: string) => KeptNames,
	tellFiltered: (isFiltered: boolean) => void,
) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());

	function tell(): void {
		const isFiltered =
			onAll() !== undefined ||
			connections.all().some(({ key }) =>
				kept(key)
					.all()
					.some((line) => readable(line.slice(line.indexOf(' ') + 1)) !== undefined),
			);
		tellFiltered(isFiltered);
		changed.fire();
	}

	function onAll(): string | undefined {
		return readable(kept('all').all()[0]);
	}

	function entriesIn(where: FilterPlace): readonly unknown[] | undefined {
		const value = setting.read(where) ?? [];
		return Array.isArray(value) ? value : undefined;
	}

	async function keep(owner: string, lines: readonly string[]): Promise<void> {
		await kept(owner).keep(lines);
		tell();
	}

	owned.add(setting.onDidChange(() => changed.fire()));
	owned.add(connections.onDidChange(tell));
	tell();

	return {
		/** The user's filters, then the workspace's, each in the order of the setting. */
		saved: () => readSaved(setting),
		/** The filter applied to a tracker. Always valid. */
		onTracker(connectionKey: string, ref: TrackerRef) {
			const begin = lineStart(ref);
			const line = kept(connectionKey)
				.all()
				.find((each) => each.startsWith(begin));
			return readable(line?.slice(begin.length));
		},
		/** The filter applied to all trackers of all accounts, shown as a queue. */
		onAll,
		/** `undefined` removes the filter. Resolves after the save. */
		async setOnTracker(connectionKey: string, ref: TrackerRef, filter: string | undefined) {
			const begin = lineStart(ref);
			const others = kept(connectionKey)
				.all()
				.filter((line) => !line.startsWith(begin));
			await keep(connectionKey, filter === undefined ? others : [...others, `${begin}${filter}`]);
		},
		setOnAll: (filter: string | undefined) => keep('all', filter === undefined ? [] : [filter]),
		/** Removes all applied filters. */
		async clear() {
			for (const { key } of connections.all()) {
				await kept(key).keep([]);
			}
			await keep('all', []);
		},
		canShare: () => setting.hasWorkspace(),
		/**
		 * Replaces the entry called `replaced`, or appends; keeps the rest of the setting as written. False, without a
		 * write, if the setting is not a list.
		 */
		async save(where: FilterPlace, entry: FilterEntry, replaced: string) {
			const entries = entriesIn(where);
			if (!entries) {
				return false;
			}
			const at = entries.findIndex((each) => isNamed(each, replaced));
			const before = entries[at];
			const next = isRecord(before) ? { ...before, ...entry } : entry;
			await setting.write(where, at === -1 ? [...entries, next] : entries.with(at, next));
			return true;
		},
		/** Removes the first entry of this name. False, without a write, if there is none. */
		async remove(where: FilterPlace, name: string) {
			const entries = entriesIn(where);
			const at = entries?.findIndex((each) => isNamed(each, name)) ?? -1;
			if (!entries || at === -1) {
				return false;
			}
			const left = entries.toSpliced(at, 1);
			// An empty list in the user's settings means "no filters"; without a value the default would return.
			await setting.write(where, left.length === 0 && where === 'workspace' ? undefined : left);
			return true;
		},
		/** An applied or saved filter changed. */
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

function lineStart(ref: TrackerRef): string {
	return `${refText(ref)} `;
}

/** A text stored by another version may be invalid here. */
function readable(filter: string | undefined): string | undefined {
	return filter !== undefined && parseTicketFilter(filter).kind === 'filter' ? filter : undefined;
}
