import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesInTheWay } from '../src/applyObstacles.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { applyHere } from '../../../test/support/applyHere.ts';
import { importCommits } from '../../../test/support/importCommits.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';
import { testInRest } from '../../../test/support/parts.ts';

const never = new AbortController().signal;
const paths = ['first', 'd/file', 'crlf', 'link', 'new', 'sub/new', 'gone'];

/** A series that begins with a harmless patch, and then changes, adds and deletes all other paths. */
const cloneAndSeries = madeOnce((machine) => {
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
	const root = join(machine.folder, 'clone');
	const before = { first: '1\n', 'd/file': '1\n2\n3\n', crlf: '1\r\n2\r\n', link: { link: 'd/file' }, gone: 'gone\n' };
	importCommits(machine, root, [
		{ branch: 'main', message: 'Begin', files: { ...before, other: 'other\n' } },
		{ branch: 'series', from: 'main', message: 'First', files: { first: '2\n' } },
	]);
	machine.script(
		root,
		String.raw`git reset -q --hard; git checkout -q series
		echo 4 >>d/file; printf '3\r\n' >>crlf; ln -sfn other link; rm gone; mkdir sub; echo new >new; echo new >sub/new
		git add -A; git commit -qm Rest; git checkout -q main`,
	);
	return Buffer.from(machine.plain(root, 'format-patch', '--stdout', '--keep-subject', 'main..series'), 'latin1');
});

suite('files that stop a series in the middle', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let mailbox: Buffer;

	setup(() => {
		machine = testMachine();
		writeFileSync(join(machine.home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = alice@forge.test\n');
		mailbox = cloneAndSeries(machine);
		root = join(machine.folder, 'clone');
	});
	teardown(() => machine.remove());

	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trimEnd();
	const put = (path: string, text: string): void => writeFileSync(join(root, path), text);
	const found = async (): Promise<readonly string[]> =>
		(await filesInTheWay(machine.git, root, paths, never)).map(({ path, why }) => `${why} ${path}`);

	/** Each change of the working tree, and what it is told to be. */
	const cases: Readonly<Record<string, readonly [() => void, readonly string[]]>> = {
		'a changed file': [() => put('d/file', 'mine\n'), ['changed d/file']],
		'a file with another mode': [() => chmodSync(join(root, 'd/file'), 0o755), ['changed d/file']],
		'a file instead of a link': [
			() => {
				rmSync(join(root, 'link'));
				put('link', 'mine\n');
			},
			['changed link'],
		],
		'a link to elsewhere': [
			() => {
				rmSync(join(root, 'link'));
				symlinkSync('first', join(root, 'link'));
			},
			['changed link'],
		],
		'a file that git takes for unchanged': [
			() => {
				git('update-index', '--assume-unchanged', 'd/file');
				put('d/file', 'mine\n');
			},
			['assumedUnchanged d/file'],
		],
		'a file that git skips in the working tree': [
			() => {
				git('update-index', '--skip-worktree', 'd/file');
				put('d/file', 'mine\n');
			},
			['skippedInWorktree d/file'],
		],
		'a file with both marks': [
			() => {
				git('update-index', '--assume-unchanged', 'd/file');
				git('update-index', '--skip-worktree', 'd/file');
				put('d/file', 'mine\n');
			},
			['skippedInWorktree d/file'],
		],
		'a file that a filter changes': [
			() => {
				git('config', 'filter.upper.smudge', 'tr a-z A-Z');
				git('config', 'filter.upper.clean', 'tr A-Z a-z');
				put('.git/info/attributes', 'gone filter=upper\n');
				rmSync(join(root, 'gone'));
				git('checkout', '-q', '--', 'gone');
				assert.equal(git('status', '--porcelain'), '');
			},
			['filtered gone'],
		],
		'an untracked file': [() => put('new', 'mine\n'), ['untracked new']],
		'an ignored file': [
			() => {
				put('.git/info/exclude', 'new\n');
				put('new', 'mine\n');
			},
			['untracked new'],
		],
		'a link that leads nowhere': [() => symlinkSync('nowhere', join(root, 'new')), ['untracked new']],
		'a file instead of a folder': [() => put('sub', 'mine\n'), ['untracked sub']],
		'a folder with files': [
			() => {
				mkdirSync(join(root, 'new'));
				put('new/mine', 'mine\n');
			},
			['untracked new'],
		],
		'a staged file outside of the series': [
			() => {
				put('other', 'mine\n');
				git('add', 'other');
			},
			['staged other'],
		],
	};
	for (const [at, [name, [change, told]]] of Object.entries(cases).entries()) {
		const testForm = at === 0 ? test : testInRest;
		testForm(`are told before the first patch: ${name}`, async () => {
			change();
			assert.deepEqual(await found(), told);
			const outcome = await applyHere(machine.git, { root, mailbox });
			assert.notEqual(outcome.kind, 'applied', 'git does not mind');
		});
	}

	test('are told of every kind at once, and harmless ones are not', async () => {
		const files = ['mode', 'file', 'link', 'assumed', 'skipped', 'both', 'up', 'touched', 'deleted', 'marked', 'crlf2'];
		machine.script(
			root,
			`mkdir x; for each in ${files.join(' ')}; do echo one >x/$each; done; ln -s mode x/toFile; ln -s mode x/toOther
			printf 'x/up filter=upper\n' >.git/info/attributes; printf 'ignored\n' >.git/info/exclude
			git add x; git commit -qm Files
			git config filter.upper.smudge 'tr a-z A-Z'; git config filter.upper.clean 'tr A-Z a-z'
			chmod +x x/mode; echo mine >x/file; rm x/link x/toFile x/toOther; ln -s mode x/link; echo mine >x/toFile; ln -s file x/toOther
			git update-index --assume-unchanged x/assumed x/both x/marked; git update-index --skip-worktree x/skipped x/both
			for each in assumed skipped both; do echo mine >x/$each; done
			rm x/up; git checkout -q -- x/up; touch -t 200001010000 x/touched; rm x/deleted
			git config core.autocrlf true; rm x/crlf2; git checkout -q -- x/crlf2
			echo mine >new; echo mine >ignored; ln -s nowhere dangling; echo mine >notFolder; mkdir full empty; echo mine >full/mine
			ln -s x linked; echo mine >staged; git add staged`,
		);
		assert.equal(readFileSync(join(root, 'x/crlf2'), 'utf8'), 'one\r\n');
		const added = ['new', 'ignored', 'dangling', 'notFolder/in', 'full', 'empty', 'linked/in', 'NEW'];
		const asked = [...files.map((name) => `x/${name}`), 'x/toFile', 'x/toOther', ...added];
		const told = (await filesInTheWay(machine.git, root, asked, never)).map(({ path, why }) => `${why} ${path}`);
		assert.deepEqual(told.toSorted(), [
			'assumedUnchanged x/assumed',
			'changed x/file',
			'changed x/link',
			'changed x/mode',
			'changed x/toFile',
			'changed x/toOther',
			'filtered x/up',
			'skippedInWorktree x/both',
			'skippedInWorktree x/skipped',
			'staged staged',
			'untracked dangling',
			'untracked full',
			'untracked ignored',
			'untracked linked',
			'untracked new',
			'untracked notFolder',
		]);
		git('config', 'core.filemode', 'false');
		assert.deepEqual(await filesInTheWay(machine.git, root, ['x/mode'], never), [{ path: 'staged', why: 'staged' }]);
	});

	const harmless: Readonly<Record<string, () => void>> = {
		nothing: () => undefined,
		'a changed file outside of the series': () => put('other', 'mine\n'),
		'a touched file': () => utimesSync(join(root, 'd/file'), 1, 1),
		'a deleted file': () => rmSync(join(root, 'd/file')),
		'an empty folder': () => mkdirSync(join(root, 'new')),
		'a sparse checkout': () => git('sparse-checkout', 'set', '--no-cone', '/first'),
		'a mark without a change': () => git('update-index', '--assume-unchanged', 'd/file'),
		'line ends of the platform': () => {
			git('config', 'core.autocrlf', 'true');
			rmSync(join(root, 'first'));
			git('checkout', '-q', '--', 'first');
			assert.equal(readFileSync(join(root, 'first'), 'utf8'), '1\r\n');
		},
		'a name that differs in case on a disk that tells both apart': () => put('NEW', 'mine\n'),
	};
	for (const [at, [name, change]] of Object.entries(harmless).entries()) {
		const testForm = at === 0 ? test : testInRest;
		testForm(`are not found in ${name}`, async () => {
			change();
			assert.deepEqual(await found(), []);
			// The mail has lost the carriage returns of this file, so only the first patch applies anyway.
			const first = mailbox.subarray(0, mailbox.indexOf('\nFrom ') + 1);
			assert.equal((await applyHere(machine.git, { root, mailbox: first })).kind, 'applied');
		});
	}

	test('include names that differ only in case on a disk that takes them for one', async () => {
		git('config', 'core.ignorecase', 'true');
		put('NEW', 'tracked\n');
		git('add', 'NEW');
		git('commit', '-qm', 'Upper case');
		assert.deepEqual(await found(), ['otherCase new']);
		const both = await filesInTheWay(machine.git, root, ['Read', 'READ', 'First'], never);
		assert.deepEqual(
			both.map(({ path, why }) => `${why} ${path}`),
			['otherCase Read', 'otherCase READ', 'otherCase First'],
		);
	});

	test('are unknown if git fails', async () => {
		for (const kind of ['index', 'hashes', 'filters', 'diskFacts', 'staged', 'namedPrograms']) {
			const deaf: typeof machine.git = {
				...machine.git,
				run: (command, ...rest) =>
					command.kind === kind
						? Promise.reject(new GitFailure({ kind: 'tooSlow' }))
						: machine.git.run(command, ...rest),
			};
			await assert.rejects(filesInTheWay(deaf, root, paths, never), GitFailure, kind);
		}
	});
});
