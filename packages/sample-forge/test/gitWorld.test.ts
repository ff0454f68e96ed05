import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, verify, createPublicKey } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitProgram, type GitProgram } from '../src/git/gitProgram.ts';
import { tellGitWorld, worldRepositories, type ToldRepository } from '../testing/worlds/repositories/gitWorld.ts';
import { modes, readCommit, readTree } from '../src/git/gitObjects.ts';
import { tellManyFiles } from '../testing/manyFiles.ts';
import { createSampleSigner } from '../testing/worlds/repositories/sshSignature.ts';
import { oddThings } from '../testing/odd/oddThings.ts';
import { hashOf, placeWorld, worldHash } from '../testing/worlds/repositories/worldCache.ts';
import { folderOf } from '../src/repositories/repositoryRoom.ts';
import { createCrew } from '../testing/worlds/repositories/crew.ts';
import { testPeople } from '../testing/worlds/testPeople.ts';
import { createUsers } from '../src/identity/users.ts';
import { pullRequests } from '../testing/worlds/lists/pullRequests.ts';
import { pullRequestOf } from 'patchmail/series/pullRequest.ts';
import { limitMs } from '../../../test/support/pace.ts';

const nameOf = (index: number): string => worldRepositories[index]?.name ?? '';

suite('Sample forge: sample repositories', () => {
	let dir: string;
	let git: GitProgram;
	let told: readonly ToldRepository[];

	const gitDir = (name: string, place = 'one'): string =>
		join(dir, place, folderOf(worldRepositories.findIndex((each) => each.name === name) + 1));
	const ask = async (name: string, ...args: readonly string[]): Promise<string> =>
		(await git.run(['--git-dir', gitDir(name), ...args])).toString('utf8');

	suiteSetup(async () => {
		dir = await mkdtemp(join(tmpdir(), 'git-world-'));
		git = createGitProgram(dir, new AbortController().signal);
		told = tellGitWorld(createUsers('forge.test', testPeople), oddThings.names);
		await mkdir(join(dir, 'cache'));
		await placeWorld(
			{ git, cacheDir: join(dir, 'cache'), tell: () => told, hash: oddThings.names.worldHash },
			join(dir, 'one'),
		);
	});

	suiteTeardown(async () => {
		await rm(dir, { recursive: true, force: true });
	});

	test('two generations are equal, and match the hash in the cache names', () => {
		assert.equal(hashOf(tellGitWorld(createUsers('forge.test', testPeople), oddThings.names)), hashOf(told));
		assert.equal(
			hashOf(told),
			oddThings.names.worldHash,
			'The world has changed: give oddThings.names.worldHash this value',
		);
		const shipped = tellGitWorld(createUsers('forge.test', testPeople), undefined);
		assert.equal(hashOf(shipped), worldHash, 'The shipped world has changed: give worldHash this value');
	});

	test('pull requests of the mails name existing commits', async () => {
		for (const { text } of pullRequests({ git: 'http://127.0.0.1:1', todo: 'http://127.0.0.1:2' })) {
			const { repository, reference, since, upTo } = pullRequestOf(text) ?? assert.fail(text);
			const name = new URL(repository).pathname.slice('/~'.length);
			const commits = await ask(name, 'rev-list', reference ?? '');
			assert.equal(commits.split('\n')[0], upTo);
			assert.ok(commits.includes(since ?? 'none'));
		}
	});

	test('the first start writes the cache, and later ones copy it', async () => {
		assert.deepEqual(await readdir(join(dir, 'cache')), [`git-${oddThings.names.worldHash}`]);
		const never = (): never => assert.fail('told again');
		await placeWorld(
			{ git, cacheDir: join(dir, 'cache'), tell: never, hash: oddThings.names.worldHash },
			join(dir, 'two'),
		);
		const refs = (place: string): string =>
			execFileSync('git', ['--git-dir', gitDir('alice/lantern', place), 'for-each-ref'], { encoding: 'utf8' });
		assert.equal(refs('two'), refs('one'));
	});

	test('a change in a copy leaves the cache unchanged', async () => {
		const cache = { git, cacheDir: join(dir, 'cache'), tell: () => told, hash: oddThings.names.worldHash };
		await placeWorld(cache, join(dir, 'three'));
		await git.run(['--git-dir', gitDir('alice/lantern', 'three'), 'update-ref', '-d', 'refs/heads/release/0.9']);
		await placeWorld(cache, join(dir, 'four'));
		const refs = (place: string): string =>
			execFileSync('git', ['--git-dir', gitDir('alice/lantern', place), 'for-each-ref'], { encoding: 'utf8' });
		assert.equal(refs('four'), refs('one'));
		assert.notEqual(refs('three'), refs('one'));
	});

	test('every repository passes git fsck', async () => {
		await Promise.all(
			told.map(async ({ draft }, index) => {
				const args = ['--git-dir', join(dir, 'one', folderOf(index + 1)), 'fsck', '--strict', '--no-dangling'];
				const output = (await git.run(args)).toString('utf8');
				assert.equal(draft === null ? '' : output, '', nameOf(index));
			}),
		);
	});

	test('the repositories have a thousand commits with merges, both kinds of tags and branches with slashes', async () => {
		const commits = told.map(
			({ draft }) => [...(draft?.objects.values() ?? [])].filter(({ type }) => type === 'commit').length,
		);
		assert.ok(commits.filter((count) => count > 100).length >= 3);
		assert.ok(commits.reduce((sum, count) => sum + count) >= 1000);
		const merges = await ask('alice/lantern', 'rev-list', '--count', '--merges', 'master');
		assert.ok(Number(merges) > 20, merges);
		const refs = await ask('alice/lantern', 'for-each-ref', '--format=%(objecttype) %(refname)');
		assert.match(refs, /^tag refs\/tags\/v0\.9\.0$/m);
		assert.match(refs, /^commit refs\/tags\/nightly$/m);
		assert.match(refs, /^commit refs\/heads\/feature\/editorconfig\/globs$/m);
	});

	test('one has a link, a submodule, an executable, an empty file, binaries, CRLF, Latin-1 and names with spaces', async () => {
		const tree = await ask('alice/lantern', 'ls-tree', '-r', '-l', '-z', 'master');
		for (const row of [
			/120000 blob \w+ +\d+\ttest\/fixtures\/link-to-deep\0/,
			/160000 commit \w+ +-\tlib\/wick\0/,
			/100755 blob \w+ +\d+\tconfigure\0/,
			/100644 blob \w+ +0\ttest\/fixtures\/empty\.txt\0/,
			/100644 blob \w+ +200000\tshare\/unicode\/widths\.bin\0/,
			/\tdoc\/manual\/01 first steps\.md\0/,
			/\tdoc\/日本語\/はじめに\.md\0/,
		]) {
			assert.match(tree, row);
		}
		assert.match(await ask('alice/lantern', 'show', 'master:test/fixtures/crlf.txt'), /^first\r\nsecond\r\n/);
		const latin = await git.run(['--git-dir', gitDir('alice/lantern'), 'show', 'master:test/fixtures/latin1.txt']);
		assert.ok(latin.includes(Buffer.from([0x63, 0x61, 0x66, 0xe9])));
	});

	test('the submodule names an existing commit', async () => {
		const [, , id = ''] = (await ask('alice/lantern', 'ls-tree', 'master', 'lib/wick')).split(/\s/);
		assert.equal((await ask('bob/wick', 'cat-file', '-t', id)).trim(), 'commit');
	});

	test('one branch has the short id of another commit as its name, and one tag the name of a branch', async () => {
		const refs = await ask('bob/odd-names', 'for-each-ref', '--format=%(objectname) %(refname)');
		const [, target = '', name = ''] = /^(\w{40}) refs\/heads\/([0-9a-f]{7})$/m.exec(refs) ?? [];
		assert.ok((await ask('bob/odd-names', 'rev-parse', 'refs/heads/master')).startsWith(name));
		assert.ok(!target.startsWith(name));
		assert.match(refs, /refs\/heads\/both\n(.*\n)*.*refs\/tags\/both\n/);
	});

	test('signatures of commits and tags verify', async function () {
		this.timeout(limitMs(30_000));
		const signers = join(dir, 'signers');
		await writeFile(signers, `${createCrew(createUsers('forge.test', testPeople)).allowedSigners.join('\n')}\n`);
		const settings = ['-c', `gpg.ssh.allowedSignersFile=${signers}`, '--git-dir', gitDir('bob/wick')];
		const states = (await git.run([...settings, 'log', '--format=%G?', 'v1.0'])).toString('utf8').split('\n');
		const count = (state: string): number => states.filter((each) => each === state).length;
		assert.ok(count('G') > 20 && count('N') > 20, states.join(''));
		assert.equal(count('B') + count('U') + count('E'), 0);
		await git.run([...settings, 'tag', '-v', 'v1.0']);
	});

	test('every signature covers the commit without the signature', () => {
		const objects = told[0]?.draft?.objects ?? new Map<string, never>();
		let checked = 0;
		for (const [id, { type, bytes }] of objects) {
			const commit = type === 'commit' ? readCommit(id, bytes) : undefined;
			if (commit !== undefined && commit.signature !== null && checked < 25) {
				assert.ok(holds(commit.signature.text, commit.signature.payload), id);
				assert.ok(!holds(commit.signature.text, Buffer.concat([commit.signature.payload, Buffer.from(' ')])), id);
				checked++;
			}
		}
		assert.equal(checked, 25);
	});

	test('the big repository has the given number of files, every mode, and a folder per twelve files', () => {
		const { objects, refs } = tellManyFiles(5000, 0);
		const counts = { files: 0, folders: 0, depth: 0 };
		const kinds = new Set<number>();
		const walk = (id: string, depth: number): void => {
			counts.folders += 1;
			counts.depth = Math.max(counts.depth, depth);
			for (const entry of readTree(objects.get(id)?.bytes ?? Buffer.of())) {
				kinds.add(entry.mode);
				if (entry.mode === modes.tree) {
					walk(entry.id, depth + 1);
				} else {
					counts.files += 1;
				}
			}
		};
		const commitOf = (name: string): ReturnType<typeof readCommit> => {
			const id = refs.get(name) ?? '';
			return readCommit(id, objects.get(id)?.bytes ?? Buffer.of());
		};
		const master = commitOf('refs/heads/master');
		walk(master.tree, 0);
		assert.deepEqual(counts, { files: 5000, folders: 418, depth: 12 });
		assert.equal(kinds.size, Object.keys(modes).length);
		const next = commitOf('refs/heads/next');
		assert.deepEqual([next.parents, next.tree === master.tree], [[master.id], false]);
	});
});

/** Checks an SSH signature by its format, without ssh. */
function holds(armoured: string, payload: Buffer): boolean {
	const bytes = Buffer.from(armoured.split('\n').slice(1, -1).join(''), 'base64');
	assert.equal(bytes.toString('latin1', 0, 6), 'SSHSIG');
	let at = 10;
	const next = (): Buffer => {
		const length = bytes.readUInt32BE(at);
		at += 4 + length;
		return bytes.subarray(at - length, at);
	};
	const key = next().subarray(-32);
	const frame = [next(), next(), next()];
	const signature = next().subarray(-64);
	assert.deepEqual(frame.map(String), ['git', '', 'sha512']);
	const digest = createHash('sha512').update(payload).digest();
	const sized = [...frame, digest].map((part) => {
		const length = Buffer.alloc(4);
		length.writeUInt32BE(part.length);
		return Buffer.concat([length, part]);
	});
	const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key]);
	const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
	return verify(null, Buffer.concat([Buffer.from('SSHSIG'), ...sized]), publicKey, signature);
}

suite('Sample forge: SSH signatures', () => {
	test('the same phrase and text give the same signature, another phrase a different one', () => {
		const payload = Buffer.from('tree 1\n');
		assert.equal(createSampleSigner('a').sign(payload), createSampleSigner('a').sign(payload));
		assert.notEqual(createSampleSigner('a').sign(payload), createSampleSigner('b').sign(payload));
	});
});
