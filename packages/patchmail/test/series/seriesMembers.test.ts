import assert from 'node:assert/strict';
import { seriesMembers } from '../../src/series/seriesMembers.ts';

interface Mail {
	readonly subject: string;
	readonly hasDiff?: boolean;
	readonly isAnswer?: boolean;
	readonly isCertain?: boolean;
}

interface Hints {
	readonly version?: number;
	/** Index of the anchor. */
	readonly anchor?: number;
	/** True if the forge lists the patches. */
	readonly isListed?: boolean;
}

/**
 * The places of the cover letters and patches in `mails`, with their indexes, and the announced
 * number.
 */
function members(mails: readonly Mail[], { version, anchor, isListed }: Hints = {}): readonly unknown[] {
	const { covers, patches, count } = seriesMembers(mails, {
		version,
		anchor: anchor === undefined ? undefined : mails[anchor],
		hasDiff: ({ hasDiff = true }) => hasDiff,
		isAnswer: ({ isAnswer = false }) => isAnswer,
		isCertain: isListed === true ? ({ isCertain = false }) => isCertain : undefined,
	});
	return [
		covers.map(({ mail }) => mails.indexOf(mail)),
		patches.map(({ mail, index }) => [mails.indexOf(mail), index]),
		count,
	];
}

const reply = { isAnswer: true } as const;

suite('members of a series', () => {
	test('belong to the version with most patches, or to the first of several', () => {
		const [one, two] = [{ subject: '[PATCH 1/1] a' }, { subject: '[PATCH v2 1/2] a' }];
		const rest = { subject: '[PATCH v2 2/2] b' };
		assert.deepEqual(members([one, two, rest]), [
			[],
			[
				[1, 1],
				[2, 2],
			],
			2,
		]);
		assert.deepEqual(members([two, rest, one]), [
			[],
			[
				[0, 1],
				[1, 2],
			],
			2,
		]);
		assert.deepEqual(members([one, two]), [[], [[0, 1]], 1]);
		assert.deepEqual(members([two, one]), [[], [[0, 1]], 2]);
		// Replies and cover letters are not patches.
		const covers = [{ subject: '[PATCH 0/1] a' }, { subject: '[PATCH 0/1] a' }];
		assert.deepEqual(members([...covers, two]), [[], [[2, 1]], 2]);
		const replies = [one, { ...one, ...reply }, { ...one, ...reply }];
		assert.deepEqual(members([...replies, two, rest]), [
			[],
			[
				[3, 1],
				[4, 2],
			],
			2,
		]);
	});

	test('belong to the requested version if it exists', () => {
		const mails = [{ subject: '[PATCH v2 1/1] a' }, { subject: '[PATCH 1/1] a' }, { subject: '[PATCH v3 1/1] a' }];
		assert.deepEqual(members(mails, { version: 3 }), [[], [[2, 1]], 1]);
		assert.deepEqual(members(mails, { version: 4 }), [[], [[0, 1]], 1]);
	});

	test('belong to the anchor’s series, unless it announces another series', () => {
		const cover = { subject: '[PATCH v2 0/1] all' };
		const [own, other] = [{ subject: '[PATCH v2 1/1] a' }, { subject: '[PATCH 1/1] a' }];
		assert.deepEqual(members([other, cover, own], { anchor: 1, version: 1 }), [[1], [[2, 1]], 1]);
		assert.deepEqual(members([other, cover], { anchor: 1 }), [[], [[0, 1]], 1]);
		assert.deepEqual(members([{ subject: '[PATCH 0/1] a' }, cover], { anchor: 1 }), [[1], [], 1]);
		assert.deepEqual(members([cover, other, { subject: '[PATCH v3 0/1] a' }], { anchor: 0 }), [[], [[1, 1]], 1]);
	});

	test('include replies with a diff only for missing parts', () => {
		const [one, two] = [{ subject: '[PATCH 1/2] a' }, { subject: '[PATCH 2/2] b' }];
		const cover = { subject: '[PATCH 0/2] all' };
		assert.deepEqual(members([cover, { ...cover, ...reply }, one, { ...one, ...reply }, { ...two, ...reply }]), [
			[0],
			[
				[2, 1],
				[4, 2],
			],
			2,
		]);
		assert.deepEqual(members([one, { ...two, ...reply, hasDiff: false }]), [[], [[0, 1]], 2]);
		assert.deepEqual(members([one, { subject: 'Re: [PATCH 0/2] all', ...reply }]), [[], [[0, 1]], 2]);
		assert.deepEqual(members([{ ...one, ...reply }]), [[], [[0, 1]], 1]);
	});

	test('are the forge’s listed patches, and others only for missing parts', () => {
		const [one, two] = [{ subject: '[PATCH 1/2] a' }, { subject: '[PATCH 2/2] b' }];
		assert.deepEqual(members([one, { ...one, isCertain: true }, two], { isListed: true }), [
			[],
			[
				[1, 1],
				[2, 2],
			],
			2,
		]);
		const listed = { ...two, ...reply, hasDiff: false, isCertain: true };
		assert.deepEqual(members([one, listed], { isListed: true }), [
			[],
			[
				[0, 1],
				[1, 2],
			],
			2,
		]);
	});

	test('of one patchset belong together even if only one has the version', () => {
		const certain = { isCertain: true } as const;
		for (const first of ['[PATCH 1/2 V2] a', '[PATCH 1/2,v2] a', '[PATCH v2 1/2] a']) {
			const mails = [
				{ subject: first, ...certain },
				{ subject: '[PATCH 2/2] b', ...certain },
			];
			const both = [
				[0, 1],
				[1, 2],
			];
			assert.deepEqual(members(mails, { isListed: true }), [[], both, 2], first);
			assert.deepEqual(members(mails, { isListed: true, version: 2 }), [[], both, 2], first);
			assert.deepEqual(
				members(mails.toReversed(), { isListed: true, anchor: 0 }),
				[
					[],
					[
						[0, 2],
						[1, 1],
					],
					2,
				],
				first,
			);
		}
		// A service that misreads the version puts both versions into one patchset.
		const mixed = ['[PATCH 1/2] a', '[PATCH 2/2] b', '[PATCHv2 1/2] a', '[PATCHv2 2/2] b'];
		assert.deepEqual(
			members(
				mixed.map((subject) => ({ subject, ...certain })),
				{ isListed: true, version: 1 },
			),
			[
				[],
				[
					[0, 1],
					[1, 2],
				],
				2,
			],
		);
	});

	test('have no part beyond their number, unless the forge lists it', () => {
		const [one, two] = [
			{ subject: '[PATCH 1/2] a', isCertain: true },
			{ subject: '[PATCH 2/2] b', isCertain: true },
		];
		const both = [
			[0, 1],
			[1, 2],
		];
		assert.deepEqual(members([one, two, { subject: '[PATCH 3/2] c' }], { isListed: true }), [[], both, 2]);
		assert.deepEqual(members([one, two, { subject: '[PATCH 3/2] c', isCertain: true }], { isListed: true }), [
			[],
			[...both, [2, 3]],
			2,
		]);
	});

	test('without patch subjects are the mails with a diff that are no replies, in order', () => {
		const subjects = ['First', 'Re: First', ' \trE: First', 'More: second', 'X-re: third'];
		const mails = [...subjects.map((subject) => ({ subject })), { subject: 'Thanks', hasDiff: false }];
		assert.deepEqual(members(mails), [
			[],
			[
				[0, 1],
				[3, 2],
				[4, 3],
			],
			3,
		]);
		const listed = mails.map((mail, at) => ({ ...mail, isCertain: at > 2 }));
		assert.deepEqual(members(listed, { isListed: true }), [
			[],
			[
				[3, 1],
				[4, 2],
			],
			2,
		]);
	});
});
