import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { MailAttestation } from 'patchmail/attest/attestation.ts';

const { attestationTexts } = await import('../../../../../src/features/lists/mail/attestationTexts.ts');

suite('texts on signatures of a message', () => {
	test('have a state and a signer, each text once', () => {
		const signer = 'zoe@forge.test';
		const all: readonly MailAttestation[] = [
			{ kind: 'developer', state: 'valid', signer, keyring: '/ring' },
			{ kind: 'openpgp', state: 'valid', signer: 'Zoe\u202E <zoe@forge.test>' },
			{ kind: 'dkim', state: 'valid', signer: 'forge.test' },
			{ kind: 'dkim', state: 'changed', signer: 'forge.test' },
			{ kind: 'developer', state: 'changed', signer: '' },
			{ kind: 'developer', state: 'unknownKey', signer },
			{ kind: 'openpgp', state: 'unknownKey', signer: '' },
			{ kind: 'dkim', state: 'otherSigner', signer: 'lists.test' },
			{ kind: 'dkim', state: 'notAsked', signer: 'forge.test' },
			{ kind: 'dkim', state: 'notChecked', signer: 'forge.test' },
			{ kind: 'dkim', state: 'notChecked', signer: '' },
			{ kind: 'dkim', state: 'notChecked', signer: '' },
		];
		assert.deepEqual(attestationTexts(all), [
			'Signed by zoe@forge.test, with a key from "/ring".',
			'Signed by Zoe⟨U+202E⟩ <zoe@forge.test>.',
			'Signed by the domain forge.test.',
			'The signature of forge.test does not match: the message was changed on the way or tampered with.',
			'A signature does not match: the message was changed on the way or tampered with.',
			'Signed in the name of zoe@forge.test, with an unknown key.',
			'Signed with an unknown key.',
			'Signed in the name of lists.test, who is not the author.',
			'Signed in the name of forge.test, and not checked: the key is in DNS.',
			'Signed in the name of forge.test, and the signature was not checked.',
			'Signed, and the signature was not checked.',
		]);
		assert.deepEqual(attestationTexts([]), ['Not signed.']);
	});
});
