import * as v from 'valibot';
import type { PushedReference, PushSaid } from '../../port/deliveryHint.ts';
import { isObjectId } from '../../../engine/git/objectId.ts';
import { commit } from './commit.ts';
import { shortUser } from './user.ts';

/** A commit with a valid object id: values of a delivery become link targets. */
const pushedCommit = v.pipe(
	commit,
	v.check(({ id }) => isObjectId(id), 'object id'),
);

/** Created, moved or deleted. Rejects a reference without any commit. */
const pushedReference = v.pipe(
	v.object({
		name: v.pipe(v.string(), v.startsWith('refs/')),
		old: v.nullable(pushedCommit),
		new: v.nullable(pushedCommit),
		// Absent in some server programs, null in others (docs/protocol.md#push-events).
		annotated_tag: v.nullish(v.object({ name: v.string(), message: v.string() })),
	}),
	v.check((wire) => wire.old !== null || wire.new !== null, 'a commit'),
	v.transform((wire): PushedReference => ({
		name: wire.name,
		before: wire.old ?? undefined,
		after: wire.new ?? undefined,
		annotatedTag: wire.annotated_tag ?? undefined,
	})),
);

/** Body of `repo:post-update` (docs/protocol.md#push-events). */
export const pushSaid = v.pipe(
	v.object({ push: v.pipe(v.string(), v.nonEmpty()), pusher: shortUser, refs: v.array(pushedReference) }),
	v.transform((wire): PushSaid => ({ pushId: wire.push, pusher: wire.pusher, references: wire.refs })),
);
