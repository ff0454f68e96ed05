import * as v from 'valibot';
import type { Commit, Tree, TreeEntry } from '../../port/repository.ts';
import { entryTypes } from '../../port/repository.ts';
import { wordOf } from '../../port/word.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { extraOf } from './extra.ts';

const signer = v.object({ name: v.string(), email: v.string() });

const commitFields = {
	id: v.string(),
	short_id: v.string(),
	author: signer,
	committer: signer,
	timestamp,
	message: v.string(),
	tree: v.string(),
	parents: v.array(v.string()),
	signature: v.nullish(v.object({ signature: v.string(), data: v.string() })),
};

/** Commit resource (docs/protocol.md#resources). */
export const commit = v.pipe(
	v.looseObject(commitFields),
	v.transform((wire): Commit => ({
		id: wire.id,
		shortId: wire.short_id,
		author: wire.author,
		committer: wire.committer,
		timestampMs: wire.timestamp,
		message: wire.message,
		tree: wire.tree,
		parents: wire.parents,
		signature: wire.signature ?? undefined,
		...extraOf(wire, commitFields),
	})),
);

const treeEntry = v.pipe(
	v.object({ name: v.string(), id: v.string(), type: v.string(), mode: v.pipe(v.number(), v.safeInteger()) }),
	v.transform((wire): TreeEntry => ({
		name: wire.name,
		id: wire.id,
		type: wordOf(entryTypes, wire.type),
		mode: wire.mode,
	})),
);

const treeFields = { id: v.string(), short_id: v.string(), entries: v.array(treeEntry) };

/** Tree resource (docs/protocol.md#tree-entries). */
export const tree = v.pipe(
	v.looseObject(treeFields),
	v.transform((wire): Tree => ({
		id: wire.id,
		shortId: wire.short_id,
		entries: wire.entries,
		...extraOf(wire, treeFields),
	})),
);
