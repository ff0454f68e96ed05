import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { eachInAppliedWorld, numbered, type AppliedWindow, type AppliedWorld } from '../support/appliedWorld.ts';
import { reencoded } from '../../../../support/envelopeOf.ts';
import { mailCommits } from '../support/mailedCommits.ts';
import { testInRest } from '../../../../support/parts.ts';
import { stubbed } from '../../../../support/vscodeValues.ts';

suite('bytes in applied commits', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	let window: AppliedWindow;

	eachInAppliedWorld((made) => ({ world, window } = made));

	const apply = (...answers: readonly string[]): Promise<void> => {
		stubbed.answers.push(...answers);
		return window.run('forge.patchsets.apply', world.subject);
	};
	const tree = (commit: string): string => world.inClone('rev-parse', `${commit}^{tree}`);
	const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

	test('match the author’s tree when the server encodes 8-bit messages with CR LF inside', async () => {
		const changed = numbered((line) => (line === 3 ? 'drei: größer' : String(line)));
		const commits = mailCommits(world, [{ 'neu.md': 'Größe\nzwei\n' }, { a: changed }]);
		assert.ok(
			world.lists.world.mails.every(({ envelope }) => envelope.includes('\r\nContent-Transfer-Encoding: base64')),
		);
		await apply('Current Branch main');
		assert.deepEqual(stubbed.shown, ['Applied 2 patches of "Change three" to main.']);
		assert.equal(tree('HEAD'), tree(commits.at(-1) ?? ''));
	});

	testInRest('keep the CRs of files from quoted-printable messages', async () => {
		const before = world.commit('b', crlf('eins\nzwei\n'), 'With CRs');
		const quoted = (mail: Buffer): Buffer => reencoded(mail, 'quoted-printable');
		const commits = mailCommits(world, [{ b: crlf('größer\nzwei\n') }], quoted);
		await apply('Current Branch main');
		assert.deepEqual(stubbed.shown, ['Applied 1 patch of "Change three" to main.']);
		assert.equal(tree('HEAD'), tree(commits[0] ?? ''));
		assert.notEqual(world.inClone('rev-parse', 'HEAD'), before);
	});

	testInRest('keep the CRs of a file by its blob ids, even if all lines of the message end in CR LF', async () => {
		world.commit('b', crlf('eins\nzwei\n'), 'With CRs');
		const commits = mailCommits(world, [{ b: crlf('größer\nzwei\n') }, { 'neu.md': 'Größe\n' }]);
		await apply('Current Branch main');
		assert.deepEqual(stubbed.shown, ['Applied 2 patches of "Change three" to main.']);
		assert.equal(tree('HEAD'), tree(commits.at(-1) ?? ''));
	});

	test('are reported by file when they differ from the patch', async () => {
		// The sender changed a line of the message but not the blob id.
		const edited = (mail: Buffer): Buffer => Buffer.from(mail.toString('latin1').replace('+zwei', '+drei'), 'latin1');
		mailCommits(world, [{ 'neu.md': 'one\nzwei\n', 'other.md': 'one\n' }], edited);
		await apply('Current Branch main');
		assert.deepEqual(stubbed.shown, [
			'Applied 1 patch of "Change three" to main. The commits differ from the shown patches. Compare them before you push: patch 1: neu.md.',
		]);
	});

	suite('of a patch that git rejects', () => {
		// The text is ASCII, so only the header is odd.
		const unknown = (mail: Buffer): Buffer =>
			Buffer.from(mail.toString('utf8').replace('Grün', 'Green').replace('charset=UTF-8', 'charset=lamp-8'));
		const reason = 'cannot convert from lamp-8 to UTF-8';

		setup(() => {
			mailCommits(world, [{ c: 'one\n' }, { b: 'larger\n' }], (mail) =>
				mail.includes('+larger') ? unknown(mail) : mail,
			);
		});

		testInRest('trigger a question before the first commit, and git’s reason appears', async () => {
			await assert.rejects(apply('Current Branch main'), isAbort);
			assert.equal(stubbed.shown.at(-1), `Git does not accept patch 2: ${reason}.`);
			assert.equal(world.inClone('rev-parse', 'HEAD'), world.base);
			await apply('Current Branch main', 'Apply');
			assert.equal(stubbed.shown.at(-1), `Git does not accept patch 2 of 2: ${reason}. Skip it or abort.`);
		});

		test('fail the check with git’s reason', async () => {
			stubbed.answers.push('Check', 'None on this forge', 'main');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.ok(stubbed.shown.at(-1)?.endsWith(`: patch 2: ${reason}.`), stubbed.shown.at(-1));
		});
	});

	testInRest('include the chosen trailers in each encoding', async () => {
		mailCommits(world, [{ b: 'größer\n' }, { c: 'plain\n' }]);
		const reviewed = 'Reviewed-by: Dora Reviewer <dora@forge.test>';
		world.reply(80, 71, `${reviewed}\n`);
		await apply('Current Branch main', reviewed);
		assert.match(
			world.inClone('log', '--reverse', '--format=%B', `${world.base}..`),
			/^Change 1\n\nGrün\.\n\nReviewed-by: /,
		);
	});

	test('trigger a question before the first commit if a patch cannot take a trailer', async () => {
		const odd = (mail: Buffer): Buffer =>
			Buffer.from(mail.toString('latin1').replace(/^(Subject: .*)$/m, '$1\nNo field'), 'latin1');
		mailCommits(world, [{ b: 'two\n' }], odd);
		const reviewed = 'Reviewed-by: Dora Reviewer <dora@forge.test>';
		world.reply(80, 71, `${reviewed}\n`);
		await assert.rejects(apply('Current Branch main', reviewed), isAbort);
		assert.match(stubbed.details.at(-1) ?? '', /Trailers can't be added to these patches: 1\./);
		assert.equal(world.inClone('rev-parse', 'HEAD'), world.base);
	});
});
