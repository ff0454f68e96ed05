import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit, CommitSignature } from 'sourcehut/port/repository.ts';
import { developerKey } from '../src/developerKeys.ts';
import { openSignature, readGpgStatus, signedCommit, verifySignature, verifyText } from '../src/verifySignature.ts';
import { growthOf, isSlowEachTime, mostGrowth } from '../../../test/support/cpuTime.ts';
import { gitSince } from '../../../test/support/gitSince.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;

/** A commit as the forge sends it: the object without its signature, the signature, and the fields of both. */
function asTheForgeTells(machine: TestMachine, root: string, revision: string): Commit {
	const id = machine.plain(root, 'rev-parse', revision).trim();
	const object = machine.plain(root, 'cat-file', 'commit', id);
	const header = /^gpgsig (.*\n(?: .*\n)*)/m.exec(object);
	assert.ok(header);
	const data = object.replace(header[0], '');
	const signature = (header[1] ?? '').replaceAll('\n ', '\n');
	const [, name = '', email = '', seconds = ''] = /^author (.*) <(.*)> (\d+) /m.exec(data) ?? [];
	return {
		id,
		shortId: id.slice(0, 7),
		author: { name, email },
		committer: { name, email },
		timestampMs: Number(seconds) * 1000,
		message: data.slice(data.indexOf('\n\n') + 2),
		tree: /^tree (\w+)$/m.exec(data)?.[1] ?? '',
		parents: [...data.matchAll(/^parent (\w+)$/gm)].map(([, parent = '']) => parent),
		signature: { signature: btoa(signature), data: Buffer.from(data).toString('base64') },
		extra: [],
	};
}

function signatureOf({ signature }: Commit): CommitSignature | undefined {
	return typeof signature === 'object' ? signature : undefined;
}

suite('commit signature', () => {
	let machine: TestMachine;
	let root: string;
	let keyId: string;
	const commits: Record<string, Commit> = {};
	const commit = (name: string): Commit => {
		const found = commits[name];
		assert.ok(found);
		return found;
	};
	const temp = (): string => join(machine.folder, 'temp');
	const verify = (it: Commit): ReturnType<typeof verifySignature> =>
		verifySignature({ machine: machine.parts, git: machine.git, tempFolder: temp() }, it, never);
	const gpg = (...args: readonly string[]): string =>
		execFileSync(
			'gpg',
			['--batch', '--no-tty', '--quiet', '--pinentry-mode=loopback', '--passphrase=', '--utf8-strings', ...args],
			{
				env: { ...machine.parts.environment },
				encoding: 'utf8',
				stdio: ['ignore', 'pipe', 'ignore'],
			},
		);
	const config = (...args: readonly string[]): string => machine.plain(root, 'config', ...args);
	const keygen = (name: string): string => {
		const path = join(machine.folder, name);
		execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', path]);
		return path;
	};

	suiteSetup(function () {
		this.timeout(30_000);
		machine = testMachine();
		root = join(machine.folder, 'signed');
		for (const folder of [root, temp(), join(machine.home, 'gnupg')]) {
			mkdirSync(folder, { mode: 0o700 });
		}
		machine.plain(root, 'init', '-q');
		gpg('--quick-gen-key', 'Alice Ünger <alice@forge.test>', 'ed25519', 'sign', 'never');
		keyId = /^fpr:+(\w+):/m.exec(gpg('--with-colons', '--list-keys'))?.[1] ?? '';
		const commitSigned = (name: string, ...args: readonly string[]): void => {
			machine.plain(root, 'commit', '-q', '--allow-empty', '-S', '-m', `Change ${name}\n\nWith körper.`, ...args);
			commits[name] = asTheForgeTells(machine, root, 'HEAD');
		};
		config('user.signingKey', keyId);
		commitSigned('gpg');
		const signWith = (name: string): void => {
			const key = keygen(name);
			if (gitSince('2.34')) {
				config('gpg.format', 'ssh');
				config('user.signingKey', `${key}.pub`);
				return;
			}
			const program = join(machine.folder, 'sign');
			const lines = [
				'#!/bin/sh',
				`ssh-keygen -q -Y sign -n git -f '${key}'`,
				String.raw`printf '\n[GNUPG:] SIG_CREATED \n' >&2`,
			];
			writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 });
			config('gpg.program', program);
		};
		signWith('known');
		commitSigned('ssh');
		signWith('strange');
		commitSigned('strange');
		if (!gitSince('2.34')) {
			config('--unset', 'gpg.program');
		}
	});
	suiteTeardown(() => {
		execFileSync('gpgconf', ['--kill', 'all'], { env: { ...machine.parts.environment } });
		machine.remove();
	});
	setup(() => {
		const known = readFileSync(join(machine.folder, 'known.pub'), 'utf8');
		writeFileSync(join(machine.home, 'allowed'), `alice@forge.test namespaces="git" ${known}`);
		machine.plain(root, 'config', '--global', 'gpg.ssh.allowedSignersFile', '~/allowed');
	});
	teardown(() => {
		// No check leaves files behind.
		assert.deepEqual(readdirSync(temp()), []);
	});

	test('is good with a key of the user’s keyring', async () => {
		assert.deepEqual(await verify(commit('gpg')), {
			kind: 'good',
			signer: 'Alice Ünger <alice@forge.test>',
			key: keyId,
		});
	});

	test('is good with an ssh key that the user allows, and unknown with another one', async () => {
		const good = await verify(commit('ssh'));
		assert.deepEqual([good.kind, good.kind === 'good' && good.signer], ['good', 'alice@forge.test']);
		const strange = await verify(commit('strange'));
		assert.match(strange.kind === 'unknownKey' ? (strange.key ?? '') : strange.kind, /^SHA256:/);
	});

	test('is unknown with a key that the user has allowed and revoked', async () => {
		const revoked = join(machine.folder, 'known.pub');
		machine.plain(root, 'config', '--global', 'gpg.ssh.revocationFile', revoked);
		try {
			assert.equal((await verify(commit('ssh'))).kind, 'unknownKey');
		} finally {
			machine.plain(root, 'config', '--global', '--unset', 'gpg.ssh.revocationFile');
		}
	});

	test('is unknown if only the repository allows its key', async () => {
		machine.plain(root, 'config', '--global', '--unset', 'gpg.ssh.allowedSignersFile');
		config('gpg.ssh.allowedSignersFile', join(machine.home, 'allowed'));
		const before = process.cwd();
		process.chdir(root);
		try {
			assert.equal((await verify(commit('ssh'))).kind, 'unknownKey');
		} finally {
			process.chdir(before);
			config('--unset', 'gpg.ssh.allowedSignersFile');
		}
	});

	test('is unknown with an untrusted key or without the key', async () => {
		const trust = (level: string): string => {
			const file = join(machine.folder, 'trust');
			writeFileSync(file, `${keyId}:${level}:\n`);
			return gpg('--import-ownertrust', file);
		};
		trust('2');
		assert.deepEqual(await verify(commit('gpg')), { kind: 'unknownKey', key: keyId });
		trust('6');
		assert.equal((await verify(commit('gpg'))).kind, 'good');
		const other = testMachine();
		mkdirSync(join(other.home, 'gnupg'), { mode: 0o700 });
		const parts = { machine: other.parts, git: other.git, tempFolder: temp() };
		assert.deepEqual(await verifySignature(parts, commit('gpg'), never), { kind: 'unknownKey', key: keyId.slice(-16) });
		other.remove();
	});

	test('of a text is good, bad after a change, and opened with its text', async () => {
		const parts = { machine: machine.parts, git: machine.git, tempFolder: temp() };
		const [file, detached, whole] = ['text', 'text.asc', 'text.gpg'].map((name) => join(machine.folder, name));
		writeFileSync(file!, 'Grüße');
		gpg('--yes', '--armor', '--output', detached!, '--detach-sign', file!);
		gpg('--yes', '--output', whole!, '--sign', file!);
		const signature = readFileSync(detached!);
		const kinds = ['Grüße', 'Grusse'].map(
			async (text) => (await verifyText(parts, Buffer.from(text), signature, never)).kind,
		);
		assert.deepEqual(await Promise.all(kinds), ['good', 'bad']);
		const opened = await openSignature(parts, readFileSync(whole!), never);
		assert.deepEqual([opened.finding.kind, Buffer.from(opened.text).toString()], ['good', 'Grüße']);
		const other = testMachine();
		mkdirSync(join(other.home, 'gnupg'), { mode: 0o700 });
		const stranger = { machine: other.parts, git: other.git, tempFolder: temp() };
		assert.equal((await openSignature(stranger, readFileSync(whole!), never)).finding.kind, 'unknownKey');
		other.remove();
		const untrusted = { ...parts, machine: { ...machine.parts, isTrusted: () => false } };
		assert.equal((await verifyText(untrusted, Buffer.from('Grüße'), signature, never)).kind, 'notVerified');
	});

	test('of a developer has its key in the user’s keyring, a clone or the global one, in this order', async () => {
		const parts = { machine: machine.parts, git: machine.git, tempFolder: temp() };
		const find = async (...places: readonly string[]) => (await developerKey(parts, places, [root], never))?.key;
		const put = (folder: string, key: string): void => {
			mkdirSync(join(folder, 'ed25519/forge.test'), { recursive: true });
			writeFileSync(join(folder, 'ed25519/forge.test/zoe'), key);
		};
		const place = 'ed25519/forge.test/zoe';
		assert.equal(await find(place), undefined);
		put(join(machine.parts.environment['HOME'] ?? '', '.local/share/patatt/public'), 'global');
		assert.equal(await find('by-hash/missing', place), 'global');
		put(join(root, '.keys'), 'clone');
		assert.equal(await find(place), 'clone');
		put(join(machine.home, 'ring'), 'own');
		writeFileSync(join(machine.home, 'secret'), 'no key');
		// A clone cannot name another folder.
		config('patatt.keyringsrc', join(machine.home, 'ring'));
		assert.equal(await find(place), 'clone');
		config('--unset', 'patatt.keyringsrc');
		machine.plain(root, 'config', '--global', 'patatt.keyringsrc', join(machine.home, 'ring'));
		assert.deepEqual([await find(place), await find('../secret')], ['own', undefined]);
		machine.plain(root, 'config', '--global', '--unset', 'patatt.keyringsrc');
	});

	test('is not verified for another commit or for false fields', async () => {
		const gpgCommit = commit('gpg');
		const data = Buffer.from(signatureOf(gpgCommit)?.data ?? '', 'base64').toString();
		const forged = data.replace('Change gpg', 'Change all');
		const signature = signatureOf(gpgCommit)?.signature ?? '';
		const lies: readonly Partial<Commit>[] = [
			{ id: commit('ssh').id },
			{ message: 'Another message' },
			{ author: { name: 'Mallory', email: gpgCommit.author.email } },
			{ author: { name: gpgCommit.author.name, email: 'mallory@forge.test' } },
			{ committer: { name: 'Mallory', email: gpgCommit.author.email } },
			{ tree: 'a'.repeat(40) },
			{ parents: ['a'.repeat(40)] },
			{ timestampMs: gpgCommit.timestampMs + 1000 },
			{ signature: { signature, data: btoa(forged) } },
			{ signature: { signature, data: 'no base64!' } },
			{ signature: undefined },
		];
		for (const lie of lies) {
			assert.deepEqual(await verify({ ...gpgCommit, ...lie }), { kind: 'notVerified' });
		}
	});

	test('is bad if it belongs to another commit', async () => {
		for (const name of ['gpg', 'ssh']) {
			const good = Buffer.from(signatureOf(commit(name))?.signature ?? '', 'base64')
				.toString()
				.trimEnd();
			const object = machine.plain(root, 'cat-file', 'commit', commit('strange').id);
			const bare = object.replace(/^gpgsig .*\n(?: .*\n)*/m, '');
			const signed = bare.replace('\n\n', `\ngpgsig ${good.replaceAll('\n', '\n ')}\n\n`);
			const id = machine.feed(root, signed, 'hash-object', '-t', 'commit', '-w', '--stdin').trim();
			assert.deepEqual(await verify(asTheForgeTells(machine, root, id)), { kind: 'bad' });
		}
	});

	test('fits back into its commit at the position that git or another tool chose', () => {
		for (const name of ['gpg', 'ssh', 'strange']) {
			const it = commit(name);
			assert.ok(signedCommit(it));
			// Some servers cut the last line break off.
			const text = atob(signatureOf(it)?.signature ?? '');
			const data = signatureOf(it)?.data ?? '';
			assert.ok(signedCommit({ ...it, signature: { signature: btoa(text.trimEnd()), data } }));
		}
		const object = machine.plain(root, 'cat-file', 'commit', commit('gpg').id);
		const [header = ''] = /^gpgsig .*\n(?: .*\n)*/m.exec(object) ?? [];
		const early = object.replace(header, '').replace('\nauthor', `\n${header}author`);
		const blank = object.replace(header, `${header} \n`);
		for (const other of [early, blank]) {
			const id = machine.feed(root, other, 'hash-object', '-t', 'commit', '-w', '--literally', '--stdin').trim();
			assert.ok(signedCommit({ ...commit('gpg'), id }));
		}
	});

	test('stays unread in an untrusted workspace', async () => {
		const parts = { machine: { ...machine.parts, isTrusted: () => false }, git: machine.git, tempFolder: temp() };
		const untouched: Commit = {
			...commit('gpg'),
			get signature() {
				return assert.fail('It was read');
			},
		};
		assert.deepEqual(await verifySignature(parts, untouched, never), { kind: 'notVerified' });
	});

	test('takes linear time in any form, and stays fast', () => {
		const tree = 'a'.repeat(40);
		const told = (signature: string, data: string): Commit => ({
			...commit('gpg'),
			signature: { signature, data },
		});
		const data = btoa(`tree ${tree}\n\nmessage`);
		const texts: Record<string, (size: number) => Commit> = {
			'line ends and a letter': (size) => told(btoa(`${'\n'.repeat(size)}x`), data),
			'line ends alone': (size) => told(btoa('\n'.repeat(size)), data),
			'blanks between base64': (size) => told(`${' '.repeat(size)}!`, data),
			'blanks behind base64': (size) => told(`QQ==${' '.repeat(size)}!`, data),
			'data of blanks': (size) => told(btoa('x'), `${' '.repeat(size)}!`),
		};
		for (const [name, make] of Object.entries(texts)) {
			const growth = growthOf(signedCommit, make, 12_000);
			assert.ok(growth <= mostGrowth, `${name}: ${growth}`);
		}
		// Each gap between many headers costs a hash over the whole commit.
		const headers = Array.from({ length: 200 }, (_, at) => `x${at} y\n`).join('');
		const large = told(btoa('x'), btoa(`tree ${tree}\n${headers.slice(0, -1)}\n\n${'m'.repeat(1_000_000)}`));
		assert.ok(!isSlowEachTime(() => void signedCommit(large), { limitMs: 150, repeats: 3 }));
		const many = told(btoa('\n'.repeat(600_000)), btoa(`tree ${tree}\n${headers}\nmessage`));
		assert.ok(!isSlowEachTime(() => void signedCommit(many), { limitMs: 150, repeats: 3 }));
	}).timeout(60_000);

	test('comes from gpg’s status lines, and is not verified in doubt', () => {
		const good = ['GOODSIG ABC Alice', 'VALIDSIG F1 d t 0 4 0 22 8 00 F2', 'TRUST_ULTIMATE 0 pgp'];
		const read = (...lines: readonly string[]): string =>
			readGpgStatus(lines.map((line) => `[GNUPG:] ${line}\n`).join('')).kind;
		assert.equal(read(...good), 'good');
		assert.equal(read(...good, ...good), 'notVerified');
		assert.equal(read(...good, 'BADSIG ABC Alice'), 'notVerified');
		assert.equal(read('PLAINTEXT 62 0 x', ...good), 'notVerified');
		assert.equal(read('GOODSIG ABC Alice', 'TRUST_ULTIMATE 0 pgp'), 'notVerified');
		for (const trust of ['TRUST_UNDEFINED', 'TRUST_NEVER', 'TRUST_MARGINAL']) {
			assert.equal(read('GOODSIG ABC Alice', 'VALIDSIG F1', `${trust} 0 pgp`), 'unknownKey');
		}
		for (const word of ['EXPSIG', 'EXPKEYSIG', 'REVKEYSIG']) {
			assert.equal(read(`${word} ABC Alice`, 'VALIDSIG F1', 'TRUST_ULTIMATE 0 pgp'), 'notVerified');
		}
		assert.equal(read('ERRSIG ABC 22 8 00 1 4 F1'), 'notVerified');
		assert.equal(read(), 'notVerified');
		// A key name cannot forge a status line.
		assert.equal(read('BADSIG ABC x%0A[GNUPG:] GOODSIG ABC Alice'), 'bad');
	});
});
