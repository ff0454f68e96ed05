import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { submitWorld, type SubmitWorld } from '../support/submitWorld.ts';

const untried = 'Git could not try these patches, so it is not known whether they apply.';

suite('patches that git does not make into the commits', function () {
	this.timeout(60_000);
	let world: SubmitWorld;

	setup(() => {
		resetStub();
		world = submitWorld();
	});
	teardown(() => world.remove());

	const prepare = async (...answers: readonly string[]): Promise<void> => {
		stubbed.answers.push('Send Without a Cover Letter', 'Preview Patches', ...answers);
		await world.run('forge.submit.prepare');
	};
	const send = async (...answers: readonly (string | undefined)[]): Promise<void> => {
		stubbed.answers.push(...answers);
		await world.run('forge.submit.send', world.previewUri());
	};
	/** Commits that git makes of mails as they left. */
	function applied(mails: readonly { readonly from: string; readonly source: string }[]): string {
		world.inClone('checkout', '-q', '-f', '-B', 'applied', world.base);
		const mailbox = mailboxOf(mails.map(({ from, source }) => `From: ${from}\n${source}`));
		world.feed(world.root, mailbox, 'am', '-q', '--no-3way');
		return world.inClone('log', '--format=%T %an <%ae>%n%B', `${world.base}..applied`);
	}
	const branch = (tip: string): string => world.inClone('log', '--format=%T %an <%ae>%n%B', `${world.base}..${tip}`);

	test('leave only after a question whose first button sends nothing', async () => {
		world.commit('c', 'c\n', 'Write c\n\nOne.\n---\nTwo.');
		await prepare('Preview Anyway');
		for (const answer of [undefined, 'Show Patches']) {
			await assert.rejects(send(answer), isAbort);
			assert.deepEqual(stubbed.buttons.at(-1), ['Show Patches', 'Send Anyway']);
			assert.match(
				stubbed.details.at(-1) ?? '',
				/^Git changes the message of "\[PATCH 3\/3\] Write c" when it applies/,
			);
		}
		assert.deepEqual(world.mailer.sent, []);
		await send('Send Anyway', 'Send');
		assert.equal(world.mailer.sent.length, 3);
	});

	/** Makes git's patches other ones, like a program that changes mails. */
	function changePatches(change: (text: string) => string): void {
		const { git } = world.place;
		world.place.git = {
			...git,
			async run(command, how, signal) {
				const ended = await git.run(command, how, signal);
				const changed = (): Buffer => Buffer.from(change(ended.output.toString('latin1')), 'latin1');
				return command.kind === 'format' ? { ...ended, output: changed() } : ended;
			},
		};
	}

	test('leave in no way if a file would be another one', async () => {
		changePatches((text) => text.replace('\n+b\n', '\n+c\n'));
		await prepare('Preview Anyway');
		await send();
		const why = 'Git makes another b of "[PATCH 2/2] Write b" than your commit has, so the patches can\'t be sent.';
		assert.equal(stubbed.shown.at(-1), `Nothing was sent. ${why}`);
		assert.deepEqual(world.mailer.sent, []);
	});

	test('are named with the file that git stops at', async () => {
		world.commit('a', 'one\n', 'Write a');
		world.commit('f', 'one\n', 'Write f');
		world.inClone('rm', '-q', 'a');
		world.commit('f', 'one\ntwo\n', 'Change both');
		changePatches((text) => text.replace('\n one\n+two\n', '\n ONE\n+two\n'));
		await prepare('Preview Anyway');
		await assert.rejects(send(undefined), isAbort);
		assert.match(stubbed.details.at(-1) ?? '', /^Git can't apply "\[PATCH 5\/5\] Change both" .* It stops at f\.$/);
	});

	test('count as such if git could not try them, at every try', async () => {
		await prepare();
		world.place.tempFolder = join(world.folder, 'gone');
		for (const answers of [[undefined], ['Show Patches']]) {
			await assert.rejects(send(...answers), isAbort);
			assert.equal(stubbed.details.at(-1), untried);
		}
		world.place.tempFolder = world.folder;
		await send('Send');
		assert.equal(world.mailer.sent.length, 2);
	});

	test('are tried as they are saved, and the same difference is asked about once', async () => {
		world.commit('c', 'c\n', '[draft] Write c');
		await prepare('Preview Anyway');
		await send('Send Anyway', 'Other Ways…', 'Copy Text', undefined);
		assert.equal(stubbed.details.filter((text) => text.startsWith('Git changes the message of')).length, 2);
		assert.match(stubbed.copied.at(-1) ?? '', /^Subject: \[PATCH 3\/3\] \[draft\] Write c$/m);
	});

	test('are also those whose edited message hides a header', async () => {
		await prepare();
		stubbed.answers.push('[PATCH 2/2] Write b');
		await world.run('forge.submit.editMail', world.previewUri());
		await world.write((text) => text.replace('\n---\n', '\nA reason.\n---\nA note.\n'));
		await assert.rejects(send(undefined), isAbort);
		assert.equal(stubbed.shown.at(-1), 'Send 2 messages?', 'the user wrote the message');
		await world.write((text) => text.replace('\nFrom: Alice <alice@forge.test>\n', '\nSubject: Another\n'));
		await assert.rejects(send(undefined), isAbort);
		assert.match(stubbed.details.at(-1) ?? '', /^Git changes the message of "\[PATCH 2\/2\] Write b"/);
	});

	test('are also those with another date alone', async () => {
		const { git } = world.place;
		world.place.git = {
			...git,
			async run(command, how, signal) {
				const ended = await git.run(command, how, signal);
				const head = /^([0-9a-f]{40}\n[0-9a-f]{40}\n.*\n.*\n)\d+$/gm;
				const changed = (): Buffer => Buffer.from(ended.output.toString('latin1').replaceAll(head, '$11'), 'latin1');
				return command.kind === 'committed' ? { ...ended, output: changed() } : ended;
			},
		};
		await prepare('Preview Anyway');
		await assert.rejects(send(undefined), isAbort);
		assert.match(stubbed.details.at(-1) ?? '', /^Git changes the message of "\[PATCH 1\/2\] /);
	});

	test('are none of the queued ones: the outbox keeps the very bytes that git tried', async () => {
		const tip = world.commit('c', 'a\r\nb\rc\f\n\u00E9', 'Write c\n\nFrom here on.');
		await prepare();
		world.mailer.outcomes.push({ kind: 'notSent', trouble: 'unreachable', complaint: '' });
		await send('Send');
		const [queued] = world.connection.mailOutbox.items();
		const made = branch(tip);
		world.inClone('reset', '-q', '--hard', world.base);
		assert.equal(applied(queued?.mails ?? []), made);
	});

	test('are none after "Send to Myself Only" and "Send"', async () => {
		const tip = world.commit('c', 'a\r\nb\rc\f\n', 'Write c');
		await prepare();
		await assert.rejects(send('Send to Myself Only', 'Send Test'), isAbort);
		await send('Send');
		assert.equal(world.mailer.sent.length, 6);
		const made = branch(tip);
		assert.deepEqual([applied(world.mailer.sent.slice(0, 3)), applied(world.mailer.sent.slice(3))], [made, made]);
	});
});
