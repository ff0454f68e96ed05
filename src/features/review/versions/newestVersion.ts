import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { takesDrafts } from 'patchmail/series/versions.ts';
import type { PatchsetReview, SeriesVersion } from '../../../store/lists/patchsets/patchsetReview.ts';

/** The newest version by the same sender; `undefined` if this is it. */
export function newestVersion({ ref, patchset, versions }: PatchsetReview): PatchsetRef | undefined {
	const newest = versions.findLast((version) => takesDrafts(version, patchset));
	return newest && { list: ref.list, id: newest.patchset.id };
}

/** The versions that this one replaces, lowest first. */
export function replacedVersions({ patchset, versions }: PatchsetReview): readonly SeriesVersion[] {
	return versions.filter(({ patchset: earlier, link }) => takesDrafts({ patchset, link }, earlier));
}
