import type * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { parseFilter } from '../../../engine/search/parseFilter.ts';
import type { FilterPlace, SavedFilter } from './filterState.ts';

const section = 'forge';
const key = 'filters';

/**
 * The setting `forge.filters` of the user and the workspace; values may have any type. The user's value is the default
 * until the first save.
 */
export type FilterSetting = ReturnType<typeof filterSetting>;

/** The editor's own setting. */
export function filterSetting(
	workspace: Pick<
		typeof vscode.workspace,
		'getConfiguration' | 'onDidChangeConfiguration' | 'workspaceFolders' | 'workspaceFile'
	>,
) {
	return {
		read(where: FilterPlace) {
			const found = workspace.getConfiguration(section).inspect<unknown>(key);
			return where === 'user' ? (found?.globalValue ?? found?.defaultValue) : found?.workspaceValue;
		},
		// `true` is the user's settings, `false` the workspace's.
		write: (where: FilterPlace, value: unknown): PromiseLike<void> =>
			workspace.getConfiguration(section).update(key, value, where === 'user'),
		/** False without an open folder, so that no filter can be shared. */
		hasWorkspace: () => workspace.workspaceFile !== undefined || (workspace.workspaceFolders ?? []).length > 0,
		onDidChange: (listener: () => void): Disposable =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.${key}`)) {
					listener();
				}
			}),
	};
}

export interface FilterEntry {
	readonly name: string;
	readonly filter: string;
}

/** All entries, the user's first. An invalid entry appears under its index with its problem. */
export function readSaved(setting: FilterSetting): readonly SavedFilter[] {
	return (['user', 'workspace'] as const).flatMap((where) => {
		const value = setting.read(where);
		if (value === undefined) {
			return [];
		}
		return Array.isArray(value)
			? value.map((entry: unknown, at) => savedFilter(entry, `#${at + 1}`, where))
			: [notAnEntry(`${section}.${key}`, '', where)];
	});
}

function savedFilter(entry: unknown, placeName: string, where: FilterPlace): SavedFilter {
	const { name, filter } = isRecord(entry) ? entry : {};
	const hasName = typeof name === 'string' && name.trim() !== '';
	if (!hasName || typeof filter !== 'string') {
		return notAnEntry(hasName ? name : placeName, typeof filter === 'string' ? filter : '', where);
	}
	const reading = parseFilter(filter);
	return reading.kind === 'filter' ? { name, filter, where } : { name, filter, where, problem: reading.problem };
}

function notAnEntry(name: string, filter: string, where: FilterPlace): SavedFilter {
	return { name, filter, where, problem: { kind: 'notAnEntry' } };
}

/**
 * Saves an entry: replaces the entry called `replaced`, or appends. Keeps the rest of the setting as written. False,
 * without a write, if the setting is not a list.
 */
export async function putSaved(
	setting: FilterSetting,
	where: FilterPlace,
	entry: FilterEntry,
	replaced: string,
): Promise<boolean> {
	const entries = entriesIn(setting, where);
	if (!entries) {
		return false;
	}
	const at = entries.findIndex((each) => isNamed(each, replaced));
	const before = entries[at];
	const next = isRecord(before) ? { ...before, ...entry } : entry;
	await setting.write(where, at === -1 ? [...entries, next] : entries.with(at, next));
	return true;
}

/** Takes the first entry of this name away. */
export async function removeSaved(setting: FilterSetting, where: FilterPlace, name: string): Promise<boolean> {
	const entries = entriesIn(setting, where);
	const at = entries?.findIndex((each) => isNamed(each, name)) ?? -1;
	if (!entries || at === -1) {
		return false;
	}
	const left = entries.toSpliced(at, 1);
	// An empty list in the user's settings means "no filters"; without a value the default would return.
	await setting.write(where, left.length === 0 && where === 'workspace' ? undefined : left);
	return true;
}

function entriesIn(setting: FilterSetting, where: FilterPlace): readonly unknown[] | undefined {
	const value = setting.read(where) ?? [];
	return Array.isArray(value) ? value : undefined;
}

function isNamed(entry: unknown, name: string): boolean {
	return isRecord(entry) && entry['name'] === name;
}
