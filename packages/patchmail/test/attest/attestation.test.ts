import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { attestations, type KeySources, type MailAttestation } from '../../src/attest/attestation.ts';
import { dkimSignatures, verifyDkim } from '../../src/attest/dkim.ts';
import { keyPlaces } from '../../src/attest/developerSignature.ts';
import { signedMail } from '../../src/attest/signedMail.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const publicBytes = (key: KeyObject): string =>
	Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
const record = `v=DKIM1; k=ed25519; p=${publicBytes(publicKey)}`;
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const body = 'Hello.\r\n';
const from = 'From: Zoe <zoe@forge.test>\r\n';
const subject = 'Subject: [PATCH] one\r\n';

/** A mail with a signature in the simple form. `more`: further tags. */
function signed(more = '', domain = 'forge.test', signedBody = body): string {
	const bh = hashOf(signedBody).toString('base64');
	const tags = `v=1; a=ed25519-sha256; c=simple/simple; d=${domain}; s=key; h=from:subject; bh=${bh}; ${more}b=`;
	const header = `DKIM-Signature: ${tags}`;
	const signature = sign(null, hashOf(`${from}${subject}${header}`), privateKey).toString('base64');
	return `${header}${signature}\r\n${from}${subject}\r\n`;
}

const noSources: KeySources = {
	developerKey: async () => undefined,
	opened: async () => undefined,
	verified: async () => undefined,
	mayAskDns: () => true,
	keyRecord: async () => undefined,
};
const authors = ['zoe@forge.test'];

async function states(mail: string, sources: Partial<KeySources> = {}): Promise<readonly MailAttestation['state'][]> {
	return (await attestations(mail, authors, { ...noSources, ...sources })).map(({ state }) => state);
}

const withRecord = (text: string | undefined): Partial<KeySources> => ({ keyRecord: async () => text });

suite('signature of a domain', () => {
	test('is valid with its key, and of unknown state without the permission to load it', async () => {
		assert.deepEqual(await states(signed() + body, withRecord(record)), ['valid']);
		assert.deepEqual(await states(signed() + body), ['notChecked']);
		assert.deepEqual(await states(`${from}${subject}\r\n${body}`, withRecord(record)), []);
	});

	test('has an unknown key if the record is missing, revoked, weak or for another use', async () => {
		const weak = generateKeyPairSync('rsa', { modulusLength: 512 }).publicKey.export({ format: 'der', type: 'spki' });
		const records = [
			'',
			'v=DKIM1; k=ed25519; p=',
			record.replace('ed25519', 'rsa'),
			`${record}; h=sha1`,
			`${record}; s=tlsrpt`,
			record.replace('DKIM1', 'DKIM2'),
			`${record}; p=AAAA`,
			`v=DKIM1; p=${weak.toString('base64')}`,
		];
		for (const each of records) {
			assert.deepEqual(await states(signed() + body, withRecord(each)), ['unknownKey'], each);
		}
	});

	test('does not match after a change of body, signed header or number of senders', async () => {
		const mail = signed() + body;
		const changes = [
			`${mail}-- \r\nlist footer\r\n`,
			mail.replace('Hello', 'Hallo'),
			mail.replace('[PATCH] one', '[PATCH] two'),
			`From: Eve <eve@forge.test>\r\n${mail}`,
			mail.replace('\r\n\r\n', '\r\nFrom: Eve <eve@forge.test>\r\n\r\n'),
		];
		for (const each of changes) {
			assert.deepEqual(await states(each, withRecord(record)), ['changed'], each);
		}
		assert.deepEqual(await states(`X-New: header\r\n${mail}`, withRecord(record)), ['valid']);
	});

	test('names the list if that sent the message on, and never counts as valid then', async () => {
		const mail = `List-Id: <devel.lists.test>\r\n${signed()}${body}`;
		assert.deepEqual(await states(mail, withRecord(record)), ['valid']);
		for (const each of [
			`${mail}-- \r\nlist footer\r\n`,
			mail.replace('[PATCH] one', '[devel] [PATCH] one'),
			mail.replace('From: Zoe <zoe@forge.test>', 'From: Zoe via devel <devel@lists.test>'),
		]) {
			assert.deepEqual(await states(each, withRecord(record)), ['byList'], each);
		}
		const partial = signed(`l=${body.length}; `) + body;
		assert.deepEqual(await states(`${partial}-- \r\nlist footer\r\n`, withRecord(record)), ['notChecked']);
	});

	test('with a length covers nothing for certain', async () => {
		const mail = signed(`l=${body.length}; `);
		assert.deepEqual(await states(mail + body, withRecord(record)), ['notChecked']);
		assert.deepEqual(await states(`${mail}${body}More.\r\n`, withRecord(record)), ['notChecked']);
		const [signature] = dkimSignatures(signedMail(`${mail}${body}More.\r\n`)!);
		assert.equal(signature && verifyDkim(signature, record), 'changed');
	});

	test('of another domain is no signature of the author', async () => {
		const domains = ['test', 'lists.test', 'evilforge.test', 'sub.forge.test'];
		for (const domain of domains) {
			assert.deepEqual(await states(signed('', domain) + body, withRecord(record)), ['otherSigner'], domain);
		}
		const above = await attestations(signed() + body, ['zoe@mail.forge.test'], { ...noSources, ...withRecord(record) });
		assert.deepEqual(above, [{ kind: 'dkim', state: 'valid', signer: 'forge.test' }]);
	});

	test('that is malformed is not checked', async () => {
		const changes = ['v=2', 'a=rsa-sha1', 'c=odd/simple', 'd=a..b', 'h=subject', 'bh=!', 'v=1; v=1'];
		for (const change of changes) {
			const [name = ''] = change.split('=');
			const mail = signed().replace(new RegExp(`(?<![a-z])${name}=[^;]*`), change) + body;
			assert.deepEqual(await states(mail, withRecord(record)), ['notChecked'], change);
		}
	});

	test('needs a question to DNS only if its key would decide, and asks none without the permission', async () => {
		const keyRecord = async (): Promise<string> => assert.fail('DNS was asked');
		const refused: Partial<KeySources> = { mayAskDns: () => false, keyRecord };
		assert.deepEqual(await states(signed() + body, refused), ['notAsked']);
		assert.deepEqual(await states(`${signed()}Other.\r\n`, refused), ['changed']);
		assert.deepEqual(await states(signed('', 'other.test') + body, refused), ['otherSigner']);
	});
});

/** A mail that a developer signed. */
function byDeveloper(identity: string, message = 'Hello.\r\n'): string {
	const bh = hashOf(message).toString('base64');
	const own = `v=1; a=ed25519-sha256; t=1; i=${identity}; h=from:subject; bh=${bh}; b=`;
	const digest = hashOf(`from:Zoe <zoe@forge.test>\r\nsubject:one\r\nx-developer-signature:${own}`);
	const signature = Buffer.concat([sign(null, digest, privateKey), digest]).toString('base64');
	return `${from}${subject}X-Developer-Signature: ${own}${signature}\r\n\r\n`;
}

suite('signature of a developer', () => {
	const ring: Partial<KeySources> = {
		developerKey: async (signature) =>
			keyPlaces(signature)[0] === 'ed25519/forge.test/zoe/default'
				? { key: `${publicBytes(publicKey)}\n`, folder: '/ring' }
				: { key: '', folder: '' },
	};

	test('is valid with a key of a keyring, which it names', async () => {
		const found = await attestations(byDeveloper('zoe@forge.test') + body, authors, { ...noSources, ...ring });
		assert.deepEqual(found, [{ kind: 'developer', state: 'valid', signer: 'zoe@forge.test', keyring: '/ring' }]);
		assert.deepEqual(await states(byDeveloper('zoe@forge.test') + body), ['notChecked']);
	});

	test('does not match after a change, and of someone else says nothing', async () => {
		const mail = byDeveloper('zoe@forge.test');
		assert.deepEqual(await states(`${mail}Hallo.\r\n`, ring), ['changed']);
		assert.deepEqual(await states(mail.replace('[PATCH] one', '[PATCH] two') + body, ring), ['changed']);
		// A list may add a tag in brackets, which git drops.
		assert.deepEqual(await states(mail.replace('[PATCH] one', '[devel] [PATCH] one') + body, ring), ['valid']);
		const footer = '-- \r\nMailing list info: https://lists.test/devel\r\n';
		assert.deepEqual(await states(`List-Id: <devel.lists.test>\r\n${mail}${body}${footer}`, ring), ['valid']);
		assert.deepEqual(await states(`List-Id: <devel.lists.test>\r\n${mail}Hallo.\r\n${footer}`, ring), ['changed']);
		// Groups send mails with other letters as quoted-printable.
		const quoted = 'List-Id: <devel.lists.test>\r\nContent-Transfer-Encoding: quoted-printable\r\n';
		const packed = footer.replace('-- ', '--=20').replace('https', 'htt=\r\nps');
		assert.deepEqual(await states(`${quoted}${mail}${body}${packed}`, ring), ['valid']);
		assert.deepEqual(await states(`${mail}${body}${footer}`, ring), ['changed']);
		assert.deepEqual(await states(byDeveloper('eve@forge.test') + body, ring), ['otherSigner']);
		const unknown = { developerKey: async () => ({ key: '', folder: '' }) };
		assert.deepEqual(await states(mail + body, unknown), ['unknownKey']);
	});

	test('by OpenPGP is valid if it contains the hash of this mail, and its key is of the author', async () => {
		const mail = byDeveloper('zoe@forge.test').replace('a=ed25519', 'a=openpgp') + body;
		const own = /X-Developer-Signature: (.*b=)/.exec(mail)?.[1] ?? '';
		const text = hashOf(`from:Zoe <zoe@forge.test>\r\nsubject:one\r\nx-developer-signature:${own}`);
		const by = (signer: string, inside = text, state: 'valid' | 'unknownKey' = 'valid') => ({
			opened: async () => ({ state, signer, text: inside }),
		});
		assert.deepEqual(await states(mail, by('Zoe <zoe@forge.test>')), ['valid']);
		assert.deepEqual(await states(mail, by('Zoe <zoe@forge.test>', hashOf('other'))), ['changed']);
		assert.deepEqual(await states(mail, by('Eve <eve@forge.test>')), ['otherSigner']);
		assert.deepEqual(await states(mail, by('', hashOf(''), 'unknownKey')), ['unknownKey']);
		assert.deepEqual(await states(mail), ['notChecked']);
	});

	test('has a quoted place in keyrings, also one without names', () => {
		const at = (identity: string, selector: string) =>
			keyPlaces({
				identity,
				selector,
				algorithm: 'ed25519',
				isBodySame: true,
				digest: new Uint8Array(),
				signature: new Uint8Array(),
			});
		const [first, second] = at("Zo'e+x@Forge.Test", '../a');
		assert.equal(first, 'ed25519/forge.test/zo%27e%2Bx/..%2Fa');
		assert.equal(second, `by-hash/${hashOf(first).toString('hex').replace(/^../, '$&/')}`);
		assert.deepEqual([at('..@forge.test', 'a'), at('zoe', 'a'), at('zoe@forge.test', '..')], [[], [], []]);
	});
});

suite('signature by OpenPGP', () => {
	const part = 'Content-Type: text/plain\r\n\r\nHello.\r\n';
	const mail = (after = ''): string =>
		[
			`${from}${subject}Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary="b"\r\n`,
			`--b\r\n${part}\r\n--b\r\nContent-Type: application/pgp-signature\r\n`,
			`-----BEGIN PGP SIGNATURE-----\r\n\r\nAAAA\r\n-----END PGP SIGNATURE-----\r\n\r\n--b--\r\n${after}`,
		].join('\r\n');
	const by = (signer: string): Partial<KeySources> => ({
		verified: async (data) => ({
			state: Buffer.from(data).toString() === part ? 'valid' : 'changed',
			signer,
			text: data,
		}),
	});

	test('covers the bytes of its part, and is of the author if the key is', async () => {
		assert.deepEqual(await states(mail(), by('Zoe <zoe@forge.test>')), ['valid']);
		assert.deepEqual(await states(mail(), by('zoe@forge.test <eve@forge.test>')), ['otherSigner']);
		assert.deepEqual(await states(mail().replace('Hello', 'Hallo'), by('Zoe <zoe@forge.test>')), ['changed']);
	});

	test('is not checked beside other text, or inside the text', async () => {
		assert.deepEqual(await states(mail('diff --git a/a b/a\r\n'), by('Zoe <zoe@forge.test>')), ['notChecked']);
		const clear = `${from}${subject}\r\n-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nHello.\r\n`;
		assert.deepEqual(await states(clear, by('Zoe <zoe@forge.test>')), ['notChecked']);
	});
});
