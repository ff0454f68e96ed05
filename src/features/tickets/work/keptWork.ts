import * as v from 'valibot';
import type * as vscode from 'vscode';
import { workKey } from '../../../editor/names/storageKeys.ts';
import { goodOf } from '../../../store/shared/keptText.ts';
import type { Trailer } from '../../../engine/text/commitTrailers.ts';

const mostKept = 200;

const entries = goodOf(v.object({ root: v.string(), branch: v.string(), key: v.string(), value: v.string() }));

type Entry = v.InferOutput<typeof entries>[number];

/** Trailers by branch, stored with the workspace. */
export type KeptWork = ReturnType<typeof keptWork>;

/** Kept in the editor's storage for the workspace, the latest 200. */
export function keptWork(storage: vscode.Memento) {
	function all(): readonly Entry[] {
		return v.parse(entries, storage.get<unknown>(workKey));
	}
	function othersThan(root: string, branch: string): readonly Entry[] {
		return all().filter((entry) => entry.root !== root || entry.branch !== branch);
	}
	return {
		/** The trailer of a branch of the repository at `root`. */
		trailer(root: string, branch: string): Trailer | undefined {
			const found = all().find((entry) => entry.root === root && entry.branch === branch);
			return found && { key: found.key, value: found.value };
		},
		async keep(root: string, branch: string, { key, value }: Trailer) {
			const others = othersThan(root, branch);
			await storage.update(workKey, [{ root, branch, key, value }, ...others].slice(0, mostKept));
		},
		/** From now on the branch's commits carry none. */
		async forget(root: string, branch: string) {
			const others = othersThan(root, branch);
			await storage.update(workKey, others.length === 0 ? undefined : others);
		},
		/** True when there is any. */
		any: () => all().length > 0,
	};
}
