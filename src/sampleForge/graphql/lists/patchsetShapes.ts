import type { Patchset } from '../../lists/mailModel.ts';
import type { PageWish } from '../cursors.ts';
import { orNull, time } from '../scalars.ts';
import { type Asking, newestFirst, pageByTime, sees, type Tool } from './listsAsking.ts';
import { describeEmail, describeThread, pageOfMails, showSender } from './mailShapes.ts';

/** Null for a missing or invisible patchset. */
export function showPatchset(asking: Asking, patchset: Patchset | undefined): object | null {
	return patchset === undefined || !sees(asking, patchset.list) ? null : describePatchset(asking, patchset);
}

export function pageOfPatchsets(asking: Asking, patchsets: readonly Patchset[], wish: PageWish): object {
	return pageByTime(asking, newestFirst(patchsets), (patchset) => describePatchset(asking, patchset), wish);
}

export function statusOf({ said }: Asking, patchset: Patchset): string {
	return said.unknownStatus.get(patchset) === patchset.status ? 'UNKNOWN' : patchset.status.toUpperCase();
}

export function describePatchset(asking: Asking, patchset: Patchset): object {
	const { id, createdMs, subject, version, prefix, coverLetter, supersededBy, list, patches } = patchset;
	const [first] = patches;
	const last = patches.at(-1);
	return {
		__typename: 'Patchset',
		id,
		created: time(createdMs),
		// A new status leaves it unchanged.
		updated: time(createdMs),
		subject,
		version,
		prefix: prefix === '' ? null : prefix,
		status: statusOf(asking, patchset),
		submitter: () => orNull(last, (each) => showSender(asking, each)),
		coverLetter: () => orNull(coverLetter, (each) => describeEmail(asking, each)),
		thread: () => orNull(first, (each) => describeThread(asking, each.root ?? each)),
		supersededBy: () => orNull(supersededBy, (each) => describePatchset(asking, each)),
		supersedes() {
			const older = list.patchsets.find((each) => each.supersededBy === patchset);
			return orNull(older, (each) => describePatchset(asking, each));
		},
		list: () => asking.shapes.list(list),
		// Sorted by place in the series, but cursors select older rows.
		patches: (wish: PageWish) => pageOfMails(asking, patches, wish),
		tools: () => asking.said.tools.filter((tool) => tool.patchset === patchset).map((tool) => showTool(asking, tool)),
		mbox: `${asking.room.context.origins.lists}/query/patchset/${id}.mbox`,
	};
}

export function showTool(asking: Asking, { id, createdMs, updatedMs, icon, details, patchset }: Tool): object {
	return {
		id,
		created: time(createdMs),
		updated: time(updatedMs),
		icon,
		details,
		patchset: () => describePatchset(asking, patchset),
	};
}
