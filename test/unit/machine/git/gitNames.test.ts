import assert from 'node:assert/strict';
import {
	addressArgument,
	branchArgument,
	idArgument,
	isSafeFolderName,
	isSafeRefName,
} from '../../../../src/machine/git/gitNames.ts';
import type { ApplyStep } from '../../../../src/machine/git/applyOperation.ts';
import { argumentsOf, inputOf, type GitOperation } from '../../../../src/machine/git/gitOperation.ts';
import type { SeriesStep } from '../../../../src/machine/git/seriesOperation.ts';
import { GitFailure } from '../../../../src/machine/git/gitFailure.ts';
import { runCases } from '../../../support/shellCases.ts';

/** 200 and more values that a forge, a clone or a person could try to slip into a command line. */
function hostileValues(): readonly string[] {
	const options = [
		'-u',
		'-c',
		'--upload-pack=touch x',
		'--output=x',
		'-O',
		'--exec=x',
		'--config=core.pager=x',
		'--',
		'-',
	];
	const wraps = [
		(text: string) => text,
		(text: string) => ` ${text}`,
		(text: string) => `${text}\n--x`,
		(text: string) => `\n${text}`,
		(text: string) => `${text}\0`,
		(text: string) => `\u200b${text}`,
		(text: string) => `refs/heads/${text}`,
		(text: string) => `a/${text}`,
		(text: string) => `ext::sh -c '${text}'`,
		(text: string) => `ssh://${text}/~alice/x`,
		(text: string) => `git@${text}:~alice/x`,
		(text: string) => `https://${text}/~alice/x`,
		(text: string) => `https://x:y@host/${text}`,
		(text: string) => `https://host/~alice/${text}`,
		(text: string) => `git@host:${text}`,
		(text: string) => `git@host:~alice/x ${text}`,
		(text: string) => `file:///${text}`,
		(text: string) => `/${text}`,
		(text: string) => `${text}::https://host/~alice/x`,
		(text: string) => `$(${text})`,
		(text: string) => `\`${text}\``,
		(text: string) => `;${text}`,
		(text: string) => `|${text}`,
	];
	return options.flatMap((option) => wraps.map((wrap) => wrap(option)));
}

function refusal(work: () => unknown): string | undefined {
	try {
		work();
		return undefined;
	} catch (error) {
		return error instanceof GitFailure && error.problem.kind === 'refused' ? error.problem.what : 'another failure';
	}
}

suite('what is handed to git', () => {
	test('is none of what could be an option, another transport or a place elsewhere', () => {
		const values = hostileValues();
		assert.ok(values.length >= 200);
		assert.deepEqual(
			values.filter((value) => refusal(() => addressArgument(value)) !== 'address'),
			[
				'https://host/~alice/-u',
				'https://host/~alice/-c',
				'https://host/~alice/-O',
				'https://host/~alice/--',
				'https://host/~alice/-',
			],
		);
		// No shell ever sees these, and no dash stands in front.
		assert.deepEqual(
			values.filter((value) => refusal(() => branchArgument(value)) !== 'branch' && !/^[$`;|]/.test(value)),
			[],
		);
		assert.deepEqual(
			values.filter((value) => refusal(() => idArgument(value)) !== 'commit'),
			[],
		);
	});

	test('never stands where an option could', () => {
		for (const value of hostileValues()) {
			for (const operation of [
				{ kind: 'list', commit: value },
				{ kind: 'hasCommit', commit: value },
			] as const) {
				assert.equal(
					refusal(() => argumentsOf(operation, '/dev/null')),
					'commit',
				);
			}
			// A line of its own would be a wish of its own.
			assert.equal(
				refusal(() => inputOf({ kind: 'blobs', ids: ['a'.repeat(40), value] })),
				'commit',
			);
			assert.equal(
				refusal(() => inputOf({ kind: 'findBlobs', ids: ['a'.repeat(7), value] })),
				'commit',
			);
			const branch = { kind: 'clone', address: 'https://host/~alice/x', folder: '/tmp/x', branch: value } as const;
			if (refusal(() => argumentsOf(branch, '/dev/null')) === undefined) {
				const expected = [`--branch=${value}`, '--end-of-options', 'https://host/~alice/x', '/tmp/x'];
				assert.deepEqual(argumentsOf(branch, '/dev/null').slice(-4), expected);
			}
			const address = { kind: 'clone', address: value, folder: '/tmp/x', branch: undefined } as const;
			if (refusal(() => argumentsOf(address, '/dev/null')) === undefined) {
				assert.deepEqual(argumentsOf(address, '/dev/null').slice(-3), ['--end-of-options', value, '/tmp/x']);
			}
		}
	});

	test('never begins an argument of any operation, but behind the end of all options', () => {
		const id = 'a'.repeat(40);
		const mail = { kind: 'sendMail', file: '/tmp/mail', from: 'a@b', to: ['a@b'], cc: [], encoding: '7bit' } as const;
		const patches = { base: id, tip: id, tag: 'PATCH', isNumbered: true, from: 'a <a@b>' } as const;
		const worktree = { kind: 'addWorktree', folder: '/tmp/x', branch: 'x', commit: id, programs: [] } as const;
		const push = { kind: 'push', address: 'https://host/~alice/x', commit: id, branch: 'x' } as const;
		const note = { kind: 'noteRemoteBranch', remote: 'origin', branch: 'x', commit: id, programs: [] } as const;
		const applied = (step: ApplyStep): GitOperation => ({ kind: 'apply', step });
		const written = (step: SeriesStep): GitOperation => ({ kind: 'series', step });
		const all = (value: string): readonly GitOperation[] => [
			{ kind: 'patches', commit: value, count: 1 },
			{ kind: 'includeOnBranch', branch: value, path: 'forge-desk/0123456789abcdef.gitconfig' },
			{ kind: 'includeOnBranch', branch: 'x', path: value },
			{ kind: 'excludeOnBranch', branch: value, path: 'forge-desk/0123456789abcdef.gitconfig' },
			...(['address', 'commit', 'branch'] as const).map((field) => ({ ...push, [field]: value })),
			...(['remote', 'commit', 'branch'] as const).map((field) => ({ ...note, [field]: value })),
			...(['file', 'from'] as const).map((field) => ({ ...mail, identity: undefined, [field]: value })),
			{ kind: 'userSetting', name: `sendemail.${value}.from` },
			{ ...mail, identity: undefined, to: [value] },
			{ ...mail, identity: undefined, cc: [value] },
			{ ...mail, identity: value },
			...(['folder', 'branch', 'commit'] as const).map((field) => applied({ ...worktree, [field]: value })),
			applied({ kind: 'removeWorktree', folder: value, isForced: true, programs: [] }),
			applied({ kind: 'removeWorktree', folder: '/tmp/x', isForced: true, programs: [value] }),
			applied({ kind: 'start', mailbox: new Uint8Array(), programs: [`filter.${value}`] }),
			applied({ kind: 'branchHead', branch: value }),
			applied({ kind: 'count', from: value, to: id }),
			applied({ kind: 'count', from: id, to: value }),
			applied({ kind: 'stage', paths: [value], programs: [] }),
			written({ kind: 'resolve', revision: value }),
			written({ kind: 'mergeBase', commits: [id, value] }),
			written({ kind: 'log', since: value, tip: id, count: 1 }),
			written({ kind: 'log', since: undefined, tip: value, count: 1 }),
			...(['base', 'tip', 'tag', 'from'] as const).map((field) =>
				written({ kind: 'format', ...patches, [field]: value }),
			),
		];
		const argumentsFor = (operation: GitOperation): readonly string[] => {
			let args: readonly string[] = [];
			refusal(() => (args = argumentsOf(operation, '/dev/null')));
			const end = args.indexOf('--end-of-options');
			return end === -1 ? args : args.slice(0, end);
		};
		const usual = new Set(all(id).flatMap(argumentsFor));
		assert.ok(usual.size > 50);
		for (const value of hostileValues().filter((each) => each.startsWith('-'))) {
			// All options begin with dashes.
			const isOf = (arg: string): boolean => (/^-+$/.test(value) ? arg === value : arg.startsWith(value));
			for (const operation of all(value)) {
				assert.deepEqual(
					argumentsFor(operation).filter((arg) => isOf(arg) && !usual.has(arg)),
					[],
					JSON.stringify(operation),
				);
			}
		}
	});

	test('are the addresses of forges', () => {
		for (const address of [
			'https://git.forge.test/~alice/quill',
			'https://git.forge.test:8443/~alice/quill.git',
			'http://127.0.0.1:4000/~alice/quill',
			'http://localhost/~alice/quill',
			'git@git.forge.test:~alice/quill',
			'https://git.forge.test/~alice/c%2B%2B',
			'https://git.forge.test/~alice/a%26b',
			'git@git.forge.test:~alice/c++',
			'git@git.forge.test:~alice/naïve',
		]) {
			assert.equal(addressArgument(address), address);
		}
		for (const address of [
			'http://git.forge.test/~alice/quill',
			'https://git.forge.test/~alice/quill/',
			'https://git.forge.test/~alice/..',
			'https://git.forge.test/~alice/../x',
			'https://git.forge.test/alice/quill',
			'https://git.forge.test/~alice/quill?x',
			'https://git.forge.test/~alice/quill#x',
			'HTTPS://git.forge.test/~alice/quill',
			'git@-oProxyCommand=x:~alice/quill',
			'git@git.forge.test:/~alice/quill',
			'root@git.forge.test:~alice/quill',
			'git@git.forge.test:~alice/.',
			'ssh://git@git.forge.test/~alice/quill',
			'https://git.forge.test/~alice/%2E%2E',
			'https://git.forge.test/~alice/a%2Fb',
			'https://git.forge.test/~alice/a%5Cb',
			'https://git.forge.test/~alice/a%0Ab',
			'https://git.forge.test/~alice/a%20b',
			'https://git.forge.test/~alice/a%E2%80%AEb',
			'https://git.forge.test/~alice/%FF',
			'https://git.forge.test/~alice/a%',
			'https://git.forge.test/~alice/a&b',
			'git@git.forge.test:~alice/a&b',
			'git@git.forge.test:~alice/a b',
			'git@git.forge.test:~alice/a/b',
			"git@git.forge.test:~alice/o'k",
			'git@git.forge.test:~alice/$x',
			'git@git.forge.test:~alice/a\u202eb',
		]) {
			assert.equal(
				refusal(() => addressArgument(address)),
				'address',
				address,
			);
		}
	});

	test('as a branch is a name that git allows, and few of those are refused', () => {
		const fine = ['main', 'feature/x', 'v1.2', 'ünïcode', 'a-b_c', 'a+b', 'a@b', 'a{b}', '日本'];
		const refused =
			'a..b a.lock a.lock/b a~1 a^ a:b a? a* a[b a\\b .a a/.b a. /a a/ a//b @ a@{1} -a a/-b main\uFEFF a\u202Eb a\0b a\ud800';
		const names = [...fine, ...refused.split(' '), 'a b', 'a\tb', ''];
		const good = names.filter((name) => isSafeRefName(name));
		assert.deepEqual(good, fine);
		const results = runCases(
			'git check-ref-format "refs/heads/$(cat name)"',
			good.map((name) => ({ name })),
		);
		assert.deepEqual(
			results.map(({ status }) => status),
			good.map(() => 0),
		);
	});

	test('as a folder is a name that means the same on every system', () => {
		for (const name of ['quill', 'quill.git', 'a b', 'ünï', '日本', 'a-b', '_x', 'com']) {
			assert.equal(isSafeFolderName(name), true, name);
		}
		const refused =
			'. .. .git .x -x ~x a/b a\\b ../x a:b a* a? a" a< a| a. CON nul.txt com1 git~1 a\0b a\nb a\u202Eb a\u200Cb a\ud800';
		for (const name of [...refused.split(' '), '', ' a', 'a ', 'x'.repeat(201)]) {
			assert.equal(isSafeFolderName(name), false, name);
		}
	});
});
