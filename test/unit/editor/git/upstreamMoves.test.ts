import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { GitHead } from '../../../../src/editor/git/gitApi.ts';
import { upstreamMoves } from '../../../../src/editor/git/upstreamMoves.ts';
import { fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeGit, fakeRepository } from '../../../support/fakeGit.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';

const never = new AbortController().signal;
const [one, two] = ['1', '2'].map((digit) => digit.repeat(40));

suite('moved upstream branches of clones', () => {
	const upstream = { remote: 'origin', name: 'main' };
	const at = (commit = '', ahead = 0, behind = 0): GitHead => ({ name: 'main', commit, ahead, behind, upstream });
	const cases: readonly (readonly [what: string, before: GitHead, after: GitHead, isMoved: boolean])[] = [
		['a push in a terminal', at(one, 2), at(one), true],
		['a fetch', at(one), at(one, 0, 3), true],
		['a pull', at(one, 0, 1), at(two), true],
		['a commit with a push at once', at(one), at(two), true],
		['the first push of a branch', { name: 'main', commit: one ?? '' }, at(one), true],
		['a commit', at(one), at(two, 1), false],
		['nothing', at(one, 1), at(one, 1), false],
		['another branch', at(one, 1), { ...at(two), name: 'other' }, false],
		['a branch without upstream', { name: 'main', commit: one ?? '' }, { name: 'main', commit: two ?? '' }, false],
	];
	for (const [what, before, after, isMoved] of cases) {
		test(`${isMoved ? 'make' : 'make no'} names of a repository due after ${what}`, async () => {
			const connection = listConnection(fakeLists().api);
			const fake = fakeRepository();
			const told: unknown[] = [];
			Object.assign(connection.repositories, { apply: (news: unknown) => told.push(news) });
			fake.remotes.push(
				{ name: 'origin', fetchUrl: 'git@git.forge.test:~alice/quill' },
				{ name: 'other', fetchUrl: 'git@git.forge.test:~bob/quill' },
			);
			fake.head = before;
			const moves = upstreamMoves(fakeGit(fake), fakeConnections(connection));
			await moves.findGit(never);
			await moves.findGit(never);
			fake.head = after;
			fake.change();
			const ref = { owner: '~alice', name: 'quill' };
			assert.deepEqual(told, isMoved ? [{ kind: 'referencesMoved', ref }] : []);
			fake.change();
			moves.dispose();
			fake.head = { ...at(two, 7) };
			fake.change();
			assert.equal(told.length, isMoved ? 1 : 0);
		});
	}
});
