import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { MailAttestation } from 'patchmail/attest/attestation.ts';
import { readSeries } from 'patchmail/series/series.ts';
import { makeSeriesMail, patchText } from '../../../../support/makeSeries.ts';

const { signaturesView } = await import('../../../../../src/features/review/patchset/signatures.ts');

const signer = 'zoe@forge.test';
const valid: MailAttestation = { kind: 'developer', state: 'valid', signer };
const changed: MailAttestation = { kind: 'dkim', state: 'changed', signer: 'forge.test' };
const notAsked: MailAttestation = { kind: 'dkim', state: 'notAsked', signer: 'forge.test' };

/** View of a series whose patches have these signatures. */
function viewOf(...found: readonly (readonly MailAttestation[] | undefined)[]) {
	const mails = found.map((_, at) =>
		makeSeriesMail({
			id: at + 1,
			subject: `[PATCH ${at + 1}/${found.length}] part\u202E ${at + 1}`,
			body: patchText('a.c', 'Why.'),
		}),
	);
	return signaturesView(
		readSeries(mails).patches.map((patch, at) => ({ patch, found: found[at] })),
		found.length,
	);
}

suite('signatures of a patchset page', () => {
	test('are one line if all patches have the same', () => {
		assert.deepEqual(viewOf([valid], [valid], [valid]), {
			sums: [{ icon: 'valid', text: 'All 3 patches: Signed by zoe@forge.test.' }],
			patches: [],
			mayAskDns: false,
		});
		assert.deepEqual(viewOf([valid]).sums, [{ icon: 'valid', text: 'Signed by zoe@forge.test.' }]);
		assert.deepEqual(viewOf([], []).sums, [{ icon: 'unsigned', text: 'All 2 patches: Not signed.' }]);
	});

	test('never count as the better one if they differ', () => {
		const { sums, patches, mayAskDns } = viewOf([valid], [valid, changed], [], [notAsked], undefined, [valid]);
		assert.deepEqual(
			sums.map(({ icon, text }) => `${icon} ${text}`),
			[
				'changed 1 patch of 6: Signed by zoe@forge.test. The signature of forge.test does not match: the message was changed on the way or tampered with.',
				'doubtful 1 patch of 6: Signed in the name of forge.test, and not checked: the key is in DNS.',
				'doubtful 1 patch of 6: The signature was not checked.',
				'unsigned 1 patch of 6: Not signed.',
				'valid 2 patches of 6: Signed by zoe@forge.test.',
			],
		);
		assert.deepEqual(
			patches.map(({ number, icon }) => `${number} ${icon}`),
			['1/6 valid', '2/6 changed', '3/6 unsigned', '4/6 doubtful', '5/6 doubtful', '6/6 valid'],
		);
		assert.equal(mayAskDns, true);
		assert.equal(viewOf([valid, notAsked]).sums[0]?.icon, 'doubtful');
	});

	test('show names of signers and patches without hidden characters', () => {
		const evil: MailAttestation = { kind: 'openpgp', state: 'valid', signer: '<b>Zoe</b>\u202E\n<zoe@forge.test>' };
		const { sums, patches } = viewOf([evil], []);
		assert.equal(sums[1]?.text, '1 patch of 2: Signed by <b>Zoe</b>⟨U+202E⟩ <zoe@forge.test>.');
		assert.equal(patches[0]?.title, 'part⟨U+202E⟩ 1');
	});
});
