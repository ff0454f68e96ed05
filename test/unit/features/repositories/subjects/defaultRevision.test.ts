import assert from 'node:assert/strict';
import type { DefaultBranch } from '../../../../../src/store/repositories/repositoryNames.ts';
import { revisionOfDefault } from '../../../../../src/features/repositories/subjects/defaultRevision.ts';

const target = 'a'.repeat(40);

suite('default revision', () => {
	for (const [about, branch, names, shown] of [
		['the branch that the server reports', told('devel'), ['heads/main', 'heads/devel'], 'devel'],
		['another branch when the reported one does not exist', told('master'), ['heads/trunk', 'heads/x'], 'trunk'],
		['a branch with a usual name among several', told('master'), ['heads/a', 'heads/main'], 'main'],
		['the newest tag when there are no branches', told('master'), ['tags/v1.9', 'tags/v1.10'], 'v1.10'],
		['a tag when the server reports no branch either', undefined, ['tags/v1'], 'v1'],
		['the replacement for a HEAD that leads nowhere', nowhere('trunk'), ['heads/trunk'], 'trunk'],
		[
			'HEAD when the server reports no certain branch',
			{ name: 'main', isCertain: false },
			['heads/main', 'heads/devel'],
			'HEAD',
		],
		['HEAD of an empty repository', told('master'), [], 'HEAD'],
	] as const) {
		test(`is ${about}`, () => {
			const items = names.map((name) => ({ name: `refs/${name}`, target }));
			assert.equal(revisionOfDefault(branch, { items, completeness: { kind: 'complete' } }), shown);
		});
	}

	test('is HEAD while more references may follow', () => {
		const items = [{ name: 'refs/heads/a', target }];
		const completeness = { kind: 'more', total: undefined } as const;
		assert.equal(revisionOfDefault(told('master'), { items, completeness }), 'HEAD');
	});
});

function told(name: string): DefaultBranch {
	return { name, isCertain: true };
}

function nowhere(name: string): DefaultBranch {
	return { name, isCertain: false, isHeadNowhere: true };
}
