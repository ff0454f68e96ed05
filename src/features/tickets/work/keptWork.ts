import type * as vscode from 'vscode';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { workKey } from '../../../editor/names/storageKeys.ts';
import type { Trailer } from '../../../text/commitTrailers.ts';

/** Which trailer belongs to the commits of which branch, kept with the workspace. */
export interface KeptWork {
	/** The trailer of a branch of the repository at `root`. */
	trailer(root: string, branch: string): Trailer | undefined;
	keep(root: string, branch: string, trailer: Trailer): Promise<void>;
	/** From now on the branch's commits carry none. */
	forget(root: string, branch: string): Promise<void>;
	/** True when there is any. */
	any(): boolean;
}

const mostKept = 200;

interface Entry {
	readonly root: string;
	readonly branch: string;
	readonly key: string;
	readonly value: string;
}

/** Kept in the editor's storage for the workspace, the latest 200. */
export function keptWork(storage: vscode.Memento): KeptWork {
	function all(): readonly Entry[] {
		const kept = storage.get<unknown>(workKey);
		return Array.isArray(kept) ? kept.filter(isEntry) : [];
	}
	function othersThan(root: string, branch: string): readonly Entry[] {
		return all().filter((entry) => entry.root !== root || entry.branch !== branch);
	}
	return {
		trailer(root, branch) {
			const found = all().find((entry) => entry.root === root && entry.branch === branch);
			return found && { key: found.key, value: found.value };
		},
		async keep(root, branch, { key, value }) {
			const others = othersThan(root, branch);
			await storage.update(workKey, [{ root, branch, key, value }, ...others].slice(0, mostKept));
		},
		async forget(root, branch) {
			const others = othersThan(root, branch);
			await storage.update(workKey, others.length === 0 ? undefined : others);
		},
		any: () => all().length > 0,
	};
}

function isEntry(value: unknown): value is Entry {
	return isRecord(value) && ['root', 'branch', 'key', 'value'].every((field) => typeof value[field] === 'string');
}
