import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { abortReason } from '@forge-desk/base/abort.ts';
import type { GitCommand } from 'hardened-git/gitCommand.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { gitCommands } from 'hardened-git/gitCommands.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { cancelAnnounced } from '../../../../support/cancelAnnounced.ts';
import { noPages } from '../../../../support/fakeListsParts.ts';
import { fakeGit } from '../../../../support/fakeGit.ts';
import {
	fakeStore,
	idOf,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';

const { clonesFeature } = await import('../../../../../src/features/repositories/clones/clonesFeature.ts');

const subject = { kind: 'repository', connectionKey: 'alice.sample', ref: quill };

interface Wish {
	readonly command: 'forge.repositories.clone' | 'forge.repositories.continueInClone';
	readonly subject: object;
	readonly fake: FakeRepositories;
	readonly isTrusted: boolean;
}

suite('clone command', () => {
	let parent: string;
	setup(() => {
		resetStub();
		parent = mkdtempSync(join(tmpdir(), 'clone-command-'));
	});
	teardown(() => rmSync(parent, { recursive: true, force: true }));

	/** Runs the command with a fake git. */
	async function clone(run: HardenedGit['run'], wish: Partial<Wish> = {}): Promise<void> {
		const whole: Wish = { command: 'forge.repositories.clone', subject, fake: quillWorld(), isTrusted: true, ...wish };
		const feature = clonesFeature({
			connections: repositoryConnections(repositoryConnection(fakeStore(whole.fake))),
			pages: noPages,
			findGit: fakeGit(),
			folderOf: async () => undefined,
			git: standFor<HardenedGit>({ run }),
			isTrusted: () => whole.isTrusted,
			storage: { get: () => undefined, update: async () => undefined },
			problems: quietProblems,
			clock: fakeClock(),
		});
		await feature.commands[whole.command]?.(whole.subject, new AbortController().signal, [whole.subject]);
		feature.dispose();
	}

	const done: Awaited<ReturnType<HardenedGit['run']>> = { code: 0, complaint: '', output: Buffer.alloc(0) };

	test('asks for the method and the parent folder only, and reports the new clone', async () => {
		const asked: GitCommand[] = [];
		stubbed.answers.push('SSH, to read and write', parent, undefined);
		await clone(async (command) => {
			asked.push(command);
			return done;
		});
		const folder = join(parent, 'quill');
		const address = 'git@git.forge.test:~alice/quill';
		assert.deepEqual(asked, [gitCommands.clone(address, folder, undefined)]);
		assert.deepEqual(stubbed.shown, [`The clone is in ${folder}.`]);
	});

	test('numbers the folder when the name is taken, says so, and leaves the existing folders alone', async () => {
		mkdirSync(join(parent, 'quill'));
		writeFileSync(join(parent, 'quill', 'mine.txt'), 'mine');
		mkdirSync(join(parent, 'quill-1'));
		stubbed.answers.push('HTTPS, to read', parent, undefined);
		await clone(async () => done);
		assert.deepEqual(readdirSync(parent), ['quill', 'quill-1', 'quill-2']);
		assert.deepEqual([readdirSync(join(parent, 'quill')), readdirSync(join(parent, 'quill-1'))], [['mine.txt'], []]);
		assert.deepEqual(stubbed.shown, [
			`The clone is in ${join(parent, 'quill-2')}, because quill already exists there.`,
		]);
	});

	test('does not number without end', async () => {
		for (const name of ['quill', ...Array.from({ length: 20 }, (_, at) => `quill-${at + 1}`)]) {
			mkdirSync(join(parent, name));
		}
		stubbed.answers.push('HTTPS, to read', parent);
		await clone(async () => done);
		assert.match(stubbed.shown[0] ?? '', /already exists and was not changed/);
		assert.equal(readdirSync(parent).length, 21);
	});

	test('asks for a name where the name of the repository is none on all systems', async () => {
		const fake = quillWorld();
		const odd = { kind: 'repository', connectionKey: 'alice.sample', ref: { owner: '~alice', name: 'nul' } };
		stubbed.answers.push('HTTPS, to read', parent, 'not nul', undefined);
		await clone(async () => done, { subject: odd, fake });
		assert.deepEqual(readdirSync(parent), ['not nul']);
		assert.deepEqual(stubbed.shown, [`The clone is in ${join(parent, 'not nul')}.`]);
	});

	test('reports a failure, and removes the incomplete folder', async () => {
		stubbed.answers.push('HTTPS, to read', parent, undefined);
		await clone(async () => ({ ...done, code: 128, complaint: 'fatal: unable to access: Could not resolve host: x' }));
		assert.deepEqual(stubbed.shown, [
			'Git could not reach the forge. Check the network and try again. The incomplete folder was removed.',
		]);
		assert.deepEqual(readdirSync(parent), []);
	});

	test('requires a recent git', async () => {
		stubbed.answers.push('HTTPS, to read', parent, undefined);
		await clone(() => Promise.reject(new GitFailure({ kind: 'tooOld', version: '2.31.8' })));
		assert.deepEqual(stubbed.shown, ['This needs git 2.32 or newer, not 2.31.8. Update git, then try again.']);
		assert.deepEqual(readdirSync(parent), []);
	});

	test('clones at the branch of a file, or at the default branch when git could misread the name', async () => {
		const fake = quillWorld();
		fake.world.references.get('~alice/quill')?.push({ name: 'refs/heads/--force', target: idOf(1) });
		const at: unknown[] = [];
		for (const ref of ['feature/x', '--force']) {
			stubbed.answers.push('Clone It Now…', 'HTTPS, to read', parent, 'Open in New Window');
			const wish = {
				command: 'forge.repositories.continueInClone',
				subject: { kind: 'file', connectionKey: 'alice.sample', ref: quill, at: { ref, path: 'README.md' } },
				fake,
			} as const;
			await clone(async ({ args }) => {
				at.push(args.find((arg) => arg.startsWith('--branch='))?.slice('--branch='.length));
				return done;
			}, wish);
		}
		assert.deepEqual(at, ['feature/x', undefined]);
	});

	test('removes the incomplete folder when the user cancels', async () => {
		stubbed.answers.push('HTTPS, to read', parent, undefined);
		await clone(async (_operation, _how, signal) => {
			const waiting = Promise.withResolvers<never>();
			signal.addEventListener('abort', () => waiting.reject(abortReason(signal)));
			await cancelAnnounced(/^Cloning /);
			return waiting.promise;
		});
		assert.deepEqual(stubbed.shown, ['Cloning was cancelled. The incomplete folder was removed.']);
		assert.deepEqual(readdirSync(parent), []);
	});

	test('asks nothing in an untrusted workspace', async () => {
		stubbed.answers.push('Manage Trust…');
		await clone(async () => done, { isTrusted: false });
		await Promise.resolve();
		assert.deepEqual(stubbed.asked, []);
		assert.match(stubbed.shown[0] ?? '', /Restricted Mode/);
	});
});
