import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { ArchiveError, type ArchiveProblem } from '../../src/http/archiveError.ts';
import { forgeErrorOf } from '../../src/port/archiveProblem.ts';

const host = 'archive.example';

suite('problems of archives', () => {
	const cases: readonly (readonly [ArchiveProblem, Problem])[] = [
		[{ kind: 'silent' }, { kind: 'unreachable', reason: 'timeout', host }],
		[
			{ kind: 'busy', retryAtMs: 5 },
			{ kind: 'rateLimited', untilMs: 5 },
		],
		[{ kind: 'missing', isPartial: false, upstream: undefined }, { kind: 'notFound' }],
		[
			{ kind: 'missing', isPartial: true, upstream: 'https://x.example/' },
			{ kind: 'notFound', partialHost: host },
		],
		[
			{ kind: 'redirected', to: 'other.example' },
			{ kind: 'redirected', toHost: 'other.example' },
		],
		[
			{ kind: 'tooLarge', limitBytes: 7 },
			{ kind: 'tooLarge', limitBytes: 7 },
		],
		[
			{ kind: 'badQuery', text: 'Syntax' },
			{ kind: 'invalid', errors: [{ field: 'search', reason: 'Syntax' }] },
		],
		[
			{ kind: 'badQuery', text: '' },
			{ kind: 'invalid', errors: [{ field: 'search', reason: 'noneGiven', own: 'noneGiven' }] },
		],
		[{ kind: 'refused', status: 401 }, { kind: 'notAllowed' }],
		[{ kind: 'refused', status: 403 }, { kind: 'notAllowed' }],
		[
			{ kind: 'refused', status: 402 },
			{ kind: 'serverError', status: 402 },
		],
		[{ kind: 'challenge' }, { kind: 'browserCheck', host }],
		[{ kind: 'foreign' }, { kind: 'notUnderstood', where: host, why: 'foreign' }],
		[{ kind: 'damaged' }, { kind: 'notUnderstood', where: host, why: 'damaged' }],
	];

	test('keep their facts as problems of a forge, and their cause', () => {
		for (const [problem, expected] of cases) {
			const cause = new ArchiveError(problem, host);
			const error = forgeErrorOf(cause);
			assert.ok(error instanceof ForgeError);
			assert.deepEqual(error.problem, expected);
			assert.equal(error.cause, cause);
		}
	});

	test('leave other errors alone', () => {
		const error = new RangeError('broken');
		assert.equal(forgeErrorOf(error), error);
		assert.equal(forgeErrorOf(undefined), undefined);
	});
});
