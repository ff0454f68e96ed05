import assert from 'node:assert/strict';
import { addressArgument, branchArgument, idArgument, isSafeFolderName, isSafeRefName } from '../src/gitNames.ts';
import { applyCommands } from '../src/applyCommands.ts';
import type { GitCommand } from '../src/gitCommand.ts';
import { gitCommands } from '../src/gitCommands.ts';
import { historyCommands } from '../src/historyCommands.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { runCases } from '../../../test/support/shellCases.ts';

/** Over 200 values that a forge, a clone or a person could try to smuggle into a command line. */
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

/** The command, or undefined if it refuses one of its values. */
function made(work: () => GitCommand): GitCommand | undefined {
	let command: GitCommand | undefined;
	refusal(() => (command = work()));
	return command;
}

suite('arguments of git', () => {
	test('reject options, other transports and local paths as address, branch or id', () => {
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
		// No shell sees these values, and no dash precedes them.
		assert.deepEqual(
			values.filter((value) => refusal(() => branchArgument(value)) !== 'branch' && !/^[$`;|]/.test(value)),
			[],
		);
		assert.deepEqual(
			values.filter((value) => refusal(() => idArgument(value)) !== 'commit'),
			[],
		);
	});

	test('never put a hostile value in the position of an option', () => {
		for (const value of hostileValues()) {
			for (const make of [gitCommands.list, gitCommands.hasCommit]) {
				assert.equal(
					refusal(() => make(value)),
					'commit',
				);
			}
			// A separate line would be a separate request.
			assert.equal(
				refusal(() => gitCommands.blobs(['a'.repeat(40), value])),
				'commit',
			);
			assert.equal(
				refusal(() => gitCommands.findBlobs(['a'.repeat(7), value])),
				'commit',
			);
			const ofBranch = made(() => gitCommands.clone('https://host/~alice/x', '/tmp/x', value));
			if (ofBranch) {
				const expected = [`--branch=${value}`, '--end-of-options', 'https://host/~alice/x', '/tmp/x'];
				assert.deepEqual(ofBranch.args.slice(-4), expected);
			}
			assert.equal(
				refusal(() => historyCommands.fetchBlobs('https://host/~alice/x', ['a'.repeat(40), value])),
				'commit',
			);
			// A path is a line of the input.
			const ofPath = made(() => historyCommands.versions([value]));
			assert.deepEqual(ofPath && Buffer.from(ofPath.input ?? '').toString(), ofPath && `--\n${value}\n`);
			assert.equal(ofPath === undefined, /\p{Cc}/u.test(value));
			const blamed = made(() => gitCommands.blame('a'.repeat(40), value, 1));
			assert.deepEqual(blamed?.args.slice(-2), blamed && ['--', value]);
			const ofAddress = made(() => gitCommands.clone(value, '/tmp/x', undefined));
			if (ofAddress) {
				assert.deepEqual(ofAddress.args.slice(-3), ['--end-of-options', value, '/tmp/x']);
			}
		}
	});

	test('never begin with a hostile value before the end of all options', () => {
		const id = 'a'.repeat(40);
		const config = 'forge-desk/0123456789abcdef.gitconfig';
		const mail = {
			file: '/tmp/mail',
			from: 'a@b',
			to: ['a@b'],
			cc: [],
			encoding: '7bit',
			identity: undefined,
		} as const;
		const patches = { base: id, tip: id, tag: 'PATCH', isNumbered: true, from: 'a <a@b>' } as const;
		const address = 'https://host/~alice/x';
		const { push, noteRemoteBranch } = gitCommands;
		const { addWorktree, removeWorktree } = applyCommands;
		const all: readonly ((value: string) => GitCommand)[] = [
			(value) => gitCommands.patches(value, 1),
			(value) => gitCommands.includeOnBranch(value, config),
			(value) => gitCommands.includeOnBranch('x', value),
			(value) => gitCommands.excludeOnBranch(value, config),
			(value) => push(value, id, 'x'),
			(value) => push(address, value, 'x'),
			(value) => push(address, id, value),
			(value) => noteRemoteBranch(value, 'x', id, []),
			(value) => noteRemoteBranch('origin', value, id, []),
			(value) => noteRemoteBranch('origin', 'x', value, []),
			(value) => gitCommands.userSetting(`sendemail.${value}.from`),
			(value) => gitCommands.sendMail({ ...mail, file: value }),
			(value) => gitCommands.sendMail({ ...mail, from: value }),
			(value) => gitCommands.sendMail({ ...mail, to: [value] }),
			(value) => gitCommands.sendMail({ ...mail, cc: [value] }),
			(value) => gitCommands.sendMail({ ...mail, identity: value }),
			(value) => addWorktree(value, 'x', id, []),
			(value) => addWorktree('/tmp/x', value, id, []),
			(value) => addWorktree('/tmp/x', 'x', value, []),
			(value) => removeWorktree(value, true, []),
			(value) => removeWorktree('/tmp/x', true, [value]),
			(value) => applyCommands.start(new Uint8Array(), [`filter.${value}`], { isBare: false, isMerging: true }),
			(value) => applyCommands.count(value, id),
			(value) => applyCommands.count(id, value),
			(value) => applyCommands.stage([value], []),
			gitCommands.resolve,
			(value) => gitCommands.mergeBase([id, value]),
			(value) => gitCommands.log(value, id, 1),
			(value) => gitCommands.log(undefined, value, 1),
			...(['base', 'tip', 'tag', 'from'] as const).map(
				(field) =>
					(value: string): GitCommand =>
						gitCommands.format({ ...patches, [field]: value }, id),
			),
			(value) => gitCommands.format(patches, value),
			gitCommands.unpublished,
			gitCommands.patch,
			(value) => gitCommands.contentAt(value, 'x'),
			(value) => gitCommands.contentAt(id, value),
			(value) => gitCommands.blame(value, 'x', 1),
			(value) => historyCommands.versions([value]),
			(value) => historyCommands.fetchHistory(value, { kind: 'update' }, 1),
			(value) => historyCommands.fetchBlobs(value, [id]),
		];
		const argumentsFor = (make: (value: string) => GitCommand, value: string): readonly string[] => {
			const args = made(() => make(value))?.arguments('/dev/null') ?? [];
			const end = args.indexOf('--end-of-options');
			return end === -1 ? args : args.slice(0, end);
		};
		const usual = new Set(all.flatMap((make) => argumentsFor(make, id)));
		assert.ok(usual.size > 50);
		for (const value of hostileValues().filter((each) => each.startsWith('-'))) {
			// All options begin with dashes.
			const isOf = (arg: string): boolean => (/^-+$/.test(value) ? arg === value : arg.startsWith(value));
			for (const make of all) {
				assert.deepEqual(
					argumentsFor(make, value).filter((arg) => isOf(arg) && !usual.has(arg)),
					[],
					`${String(make)} ${value}`,
				);
			}
		}
	});

	test('accept forge addresses and reject all others', () => {
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

	test('accept common branch names, and only ones that git allows', () => {
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

	test('accept only folder names that are safe on every system', () => {
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
