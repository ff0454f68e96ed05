import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	readlinkSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { addressesInReach } from '../../src/features/repositories/clones/cloneAddresses.ts';
import { cloneRepository, type CloneProgress, type CloneWish } from 'hardened-git/cloneRepository.ts';
import { blobsOfClone, filesOfCommit } from 'hardened-git/readClone.ts';
import { GitFailure, type GitProblem } from 'hardened-git/gitFailure.ts';
import { pushAddress } from '../support/pushToForge.ts';
import { allItems, protocolSuite, wanted } from '../support/contractForge.ts';
import { testMachine, type TestMachine } from '../support/localMachine.ts';
import { trappedClone } from '../support/trappedClone.ts';

const lantern = { owner: '~alice', name: 'lantern' };

protocolSuite('clones', { firstIn: 'graphql' }, ({ forge }) => {
	let machine: TestMachine;
	let parent: string;
	let count = 0;

	suiteSetup(() => {
		machine = testMachine();
	});
	suiteTeardown(() => machine.remove());
	setup(() => {
		count += 1;
		parent = join(machine.folder, `parent-${count}`);
		mkdirSync(parent);
	});

	const addressOf = (name: string): string => {
		const [only, ...more] = addressesInReach(forge().instance, { owner: '~alice', name });
		assert.ok(only && more.length === 0);
		return only.address;
	};

	function clone(wish: Partial<CloneWish> & { readonly from?: string }, signal = wanted()): Promise<string> {
		const { from = 'lantern', ...rest } = wish;
		const whole = { address: addressOf(from), parent, name: 'here', ...rest };
		return cloneRepository(machine.git, whole, () => undefined, signal);
	}

	async function problem(work: Promise<unknown>): Promise<GitProblem | undefined> {
		try {
			await work;
			return undefined;
		} catch (error) {
			assert.ok(error instanceof GitFailure, String(error));
			return error.problem;
		}
	}

	/** Asynchronous, because this process also serves the clone. */
	function carelessClone(address: string): Promise<void> {
		const env = { ...machine.parts.environment };
		return new Promise((resolve) => {
			execFile('git', ['clone', '-q', address, join(parent, 'plain')], { env }, () => resolve());
		});
	}

	/** Creates a public repository on the sample forge with the content written by `fill`. */
	async function hostile(name: string, fill: (root: string) => void): Promise<void> {
		const { sample } = forge();
		const root = join(machine.folder, name);
		mkdirSync(root);
		machine.plain(root, 'init', '-q', '-b', 'master');
		fill(root);
		machine.plain(root, '-c', 'core.protectNTFS=false', 'commit', '-q', '-m', 'Begin');
		machine.plain(root, 'push', '-q', pushAddress(sample, `~alice/${name}`), 'HEAD:refs/heads/master');
		await forge().as('alice').repositories.update({ owner: '~alice', name }, { visibility: 'public' }, wanted());
	}

	/** Writes the entry to the index without git's checks. */
	function index(root: string, mode: string, path: string, text: string): void {
		const id = mode === '160000' ? text : machine.feed(root, text, 'hash-object', '-w', '--stdin').trim();
		machine.feed(root, `${mode} ${id}\t${path}\0`, 'update-index', '-z', '--index-info');
	}

	test('match the forge’s commits, report progress, and have one remote and no hooks', async () => {
		const steps: CloneProgress[] = [];
		const wish = { address: addressOf('lantern'), parent, name: 'my lantern' };
		const folder = await cloneRepository(machine.git, wish, (progress) => steps.push(progress), wanted());
		assert.equal(folder, join(parent, 'my lantern'));
		const [newest] = (await allItems(forge().as('bob').repositories.log(lantern, undefined, wanted()))).slice(0, 1);
		assert.equal(machine.plain(folder, 'rev-parse', 'HEAD').trim(), newest?.id);
		assert.equal(machine.plain(folder, 'remote', '-v').split('\n')[0], `origin\t${wish.address} (fetch)`);
		assert.equal(machine.plain(folder, 'status', '--porcelain'), '');
		assert.equal(existsSync(join(folder, '.git/hooks')), false);
		assert.ok(steps.some(({ step }) => step === 'receiving'));
		assert.ok(steps.every(({ share }) => share >= 0 && share <= 1));
	});

	test('check out the requested branch', async () => {
		const folder = await clone({ branch: 'feature/editorconfig/globs' });
		assert.equal(machine.plain(folder, 'branch', '--show-current').trim(), 'feature/editorconfig/globs');
		assert.deepEqual(await problem(clone({ branch: 'no-such-branch', name: 'other' })), {
			kind: 'notCloned',
			trouble: 'missing',
			isRemoved: true,
		});
		assert.deepEqual(readdirSync(parent), ['here']);
	});

	test('work for an empty repository', async () => {
		const folder = await clone({ from: 'scratch' });
		assert.deepEqual(readdirSync(folder), ['.git']);
	});

	test('of private or missing repositories fail without a password prompt and leave no folder', async () => {
		const asked = join(machine.folder, 'asked');
		const helper = join(machine.folder, 'helper');
		writeFileSync(helper, `#!/bin/sh\ntouch '${asked}'\n`, { mode: 0o755 });
		machine.plain(machine.folder, 'config', '--global', 'credential.helper', `!${helper}`);
		machine.plain(machine.folder, 'config', '--global', 'core.askPass', helper);
		for (const from of ['diary', 'no-such-repository']) {
			assert.deepEqual(await problem(clone({ from })), { kind: 'notCloned', trouble: 'missing', isRemoved: true });
		}
		assert.deepEqual(readdirSync(parent), []);
		// A server that asks for a password must end the clone.
		const server = await answering((_, response) => {
			response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
		});
		const refused = await problem(clone({ address: `${server.origin}/~alice/lantern` }));
		assert.deepEqual(refused, { kind: 'notCloned', trouble: 'notAllowed', isRemoved: true });
		assert.equal(existsSync(asked), false);
		machine.plain(machine.folder, 'config', '--global', '--unset-all', 'credential.helper');
		machine.plain(machine.folder, 'config', '--global', '--unset-all', 'core.askPass');
		await server.stop();
	});

	test('follow no redirect to another server', async () => {
		let strangers = 0;
		const stranger = await answering((_, response) => {
			strangers += 1;
			response.writeHead(404).end();
		});
		const server = await answering(({ url }, response) => {
			response.writeHead(302, { Location: `${stranger.origin}${url ?? ''}` }).end();
		});
		const failed = await problem(clone({ address: `${server.origin}/~alice/lantern` }));
		assert.equal(failed?.kind, 'notCloned');
		assert.equal(strangers, 0);
		await carelessClone(`${server.origin}/~alice/lantern`);
		assert.ok(strangers > 0);
		await Promise.all([server.stop(), stranger.stop()]);
	});

	test('leave no folder after a cancel', async () => {
		const control = new AbortController();
		const server = await answering(() => control.abort());
		const failed = await problem(clone({ address: `${server.origin}/~alice/lantern` }, control.signal));
		assert.deepEqual(failed, { kind: 'notCloned', trouble: 'cancelled', isRemoved: true });
		assert.deepEqual(readdirSync(parent), []);
		await server.stop();
		const begun = clone({}, AbortSignal.abort());
		await assert.rejects(begun, isAbort);
		assert.deepEqual(readdirSync(parent), []);
	});

	test('never overwrite an existing file, folder or link', async () => {
		mkdirSync(join(parent, 'folder'));
		writeFileSync(join(parent, 'file'), 'mine');
		symlinkSync('nowhere', join(parent, 'link'));
		symlinkSync('folder', join(parent, 'to-folder'));
		for (const name of ['folder', 'file', 'link', 'to-folder']) {
			assert.deepEqual(await problem(clone({ name })), { kind: 'folderTaken' });
		}
		for (const name of ['../x', '', '.', '-x', 'a/b', '.git']) {
			assert.deepEqual(await problem(clone({ name })), { kind: 'refused', what: 'folder' });
		}
		assert.deepEqual(await problem(clone({ parent: join(parent, 'none') })), { kind: 'folderNotMade', code: 'ENOENT' });
		assert.deepEqual(await problem(clone({ parent: 'relative' })), { kind: 'refused', what: 'folder' });
		assert.deepEqual(readdirSync(parent), ['file', 'folder', 'link', 'to-folder']);
		assert.deepEqual([readdirSync(join(parent, 'folder')), readFileSync(join(parent, 'file'), 'utf8')], [[], 'mine']);
	});

	test('inside a booby-trapped clone run no programs', async () => {
		const trapped = trappedClone(machine);
		const folder = await clone({ parent: trapped.root, name: 'inside' });
		assert.deepEqual(trapped.sprung(), []);
		assert.ok(existsSync(join(folder, 'README.md')));
	});

	test('of a hostile repository follow no links and submodules, and run nothing', async () => {
		const outside = join(machine.folder, 'outside');
		mkdirSync(outside);
		const secret = join(machine.folder, 'secret');
		writeFileSync(secret, 'secret lantern\n');
		const marks = join(machine.folder, 'hostile-marks');
		const inner = join(machine.folder, 'inner');
		mkdirSync(inner);
		machine.plain(inner, 'init', '-q', '-b', 'master');
		mkdirSync(join(inner, 'hooks'));
		writeFileSync(join(inner, 'hooks/post-checkout'), `#!/bin/sh\ntouch '${marks}'\n`, { mode: 0o755 });
		machine.plain(inner, 'add', '.');
		machine.plain(inner, 'commit', '-q', '-m', 'Inner');
		const innerId = machine.plain(inner, 'rev-parse', 'HEAD').trim();
		await hostile('hostile', (root) => {
			const modules =
				`[submodule "sub\r"]\n\tpath = "sub\r"\n\turl = ${inner}\n` +
				`[submodule "plain"]\n\tpath = plain\n\turl = ${inner}\n\tupdate = checkout\n`;
			index(root, '100644', '.gitmodules', modules);
			index(root, '160000', 'sub\r', innerId);
			index(root, '160000', 'plain', innerId);
			index(root, '120000', 'sub', '.git/modules/sub/hooks');
			index(root, '120000', 'out', outside);
			index(root, '120000', 'secret-link', secret);
			index(root, '100644', '.gitattributes', '* filter=evil diff=evil\n');
			index(root, '100644', '--upload-pack=touch x', 'lantern\n');
			index(root, '100755', 'hooks/post-checkout', `#!/bin/sh\ntouch '${marks}'\n`);
		});
		// A plain clone does fetch the submodule.
		machine.try(
			parent,
			'-c',
			'protocol.file.allow=always',
			'clone',
			'--recurse-submodules',
			addressOf('hostile'),
			'plain',
		);
		assert.ok(existsSync(join(parent, 'plain/.git/modules')));
		assert.ok(existsSync(join(parent, 'plain/plain/hooks')));

		machine.plain(machine.folder, 'config', '--global', 'submodule.recurse', 'true');
		machine.plain(machine.folder, 'config', '--global', 'protocol.file.allow', 'always');
		const folder = await clone({ from: 'hostile' });
		assert.equal(existsSync(join(folder, '.git/modules')), false);
		assert.deepEqual(readdirSync(join(folder, 'plain')), []);
		assert.equal(existsSync(marks), false);
		assert.deepEqual(readdirSync(outside), []);
		assert.ok(lstatSync(join(folder, 'out')).isSymbolicLink());
		assert.equal(readlinkSync(join(folder, 'secret-link')), secret);

		const commit = machine.plain(folder, 'rev-parse', 'HEAD').trim();
		const read: string[] = [];
		for await (const files of filesOfCommit(machine.git, folder, commit, wanted())) {
			const blob = blobsOfClone(
				machine.git,
				folder,
				files.map(({ id }) => id),
				wanted(),
			);
			for (const { path, id } of files) {
				read.push(`${path}: ${Buffer.from((await blob(id)) ?? []).toString()}`);
			}
		}
		// The link is read as text: its target path.
		assert.ok(read.includes(`secret-link: ${secret}`));
		assert.ok(!read.some((text) => text.includes('lantern') && !text.startsWith('--upload-pack=touch x')));
		assert.equal(existsSync(marks), false);
	});

	test('run no hooks from the user’s templates or settings', async () => {
		const mark = join(machine.folder, 'hook-mark');
		const templates = join(machine.folder, 'templates');
		mkdirSync(join(templates, 'hooks'), { recursive: true });
		writeFileSync(join(templates, 'hooks/post-checkout'), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
		machine.plain(machine.folder, 'config', '--global', 'init.templateDir', templates);
		await clone({});
		assert.equal(existsSync(mark), false);
		await carelessClone(addressOf('scratch'));
		assert.ok(existsSync(join(parent, 'plain/.git/hooks/post-checkout')));
	});
});

interface Answering {
	readonly origin: string;
	stop(): Promise<void>;
}

/** A local server that answers all requests the same way. */
async function answering(listener: RequestListener): Promise<Answering> {
	const server = createServer(listener);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	assert.ok(typeof address === 'object' && address);
	return {
		origin: `http://127.0.0.1:${address.port}`,
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
