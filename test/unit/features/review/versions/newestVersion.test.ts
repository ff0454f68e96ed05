import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { FormedFacts } from 'patchmail/series/listedPatchset.ts';
import type { VersionLink } from 'patchmail/series/versions.ts';
import type { PatchsetReview, SeriesVersion } from '../../../../../src/store/lists/patchsets/patchsetReview.ts';
import { makePatchset } from '../../../../support/makeMail.ts';
import { standFor } from '../../../../support/standFor.ts';

const { newestVersion, replacedVersions } =
	await import('../../../../../src/features/review/versions/newestVersion.ts');

const formed: FormedFacts = {
	threadPatchsetId: 1,
	kept: [],
	isComplete: true,
	isByOther: false,
	isSenderCertain: true,
	repeatedById: undefined,
	ofServer: [],
};

/** `id` is the version. */
function version(id: number, link: VersionLink | undefined, facts?: Partial<FormedFacts>): SeriesVersion {
	const patchset = makePatchset({ id, version: id, createdMs: id });
	return { link, patchset: facts ? { ...patchset, formed: { ...formed, ...facts } } : patchset };
}

function review(id: number, versions: readonly SeriesVersion[]): PatchsetReview {
	const { patchset } = versions.find((each) => each.patchset.id === id) ?? assert.fail();
	return standFor<PatchsetReview>({ ref: { list: { owner: '~alice', name: 'devel' }, id }, patchset, versions });
}

suite('the version that takes drafts', () => {
	test('is the newest one by the same sender, and takes from all that it replaces', () => {
		const versions = [version(1, undefined), version(2, 'thread', {}), version(3, 'forge')];
		assert.equal(newestVersion(review(1, versions))?.id, 3);
		const fromLast = [version(1, 'forge'), version(2, 'thread', {}), version(3, undefined)];
		assert.equal(newestVersion(review(3, fromLast)), undefined);
		assert.deepEqual(
			replacedVersions(review(3, fromLast)).map(({ patchset }) => patchset.id),
			[1, 2],
		);
	});

	test('is never by someone else, by an uncertain sender, or incomplete', () => {
		for (const other of [
			version(3, 'claimed'),
			version(3, 'byHand', { isByOther: true }),
			version(3, 'thread', { isSenderCertain: false }),
			version(3, 'thread', { isComplete: false }),
		]) {
			const versions = [version(1, undefined), version(2, 'subject'), other];
			assert.equal(newestVersion(review(1, versions))?.id, 2);
			const reversed = [version(1, other.link), version(2, other.link), { ...other, link: undefined }];
			assert.deepEqual(replacedVersions(review(3, reversed)), [], JSON.stringify(other));
		}
	});
});
