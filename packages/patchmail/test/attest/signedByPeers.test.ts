import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { developerSignatures, keyPlaces, verifiesEd25519 } from '../../src/attest/developerSignature.ts';
import { dkimKeyName, dkimSignatures, verifyDkim } from '../../src/attest/dkim.ts';
import { signedMail, type SignedMail } from '../../src/attest/signedMail.ts';
import { root } from '../../../../test/harness/places.ts';
import { seed } from '../../../../test/support/counts.ts';
import { testInProve } from '../../../../test/support/testInProve.ts';

const corpus = join(root, 'test/corpus/attest');

/** Mails that patatt and dkimpy signed, with their verdicts, and the keys. */
const signedMails = v.object({
	keyring: v.record(v.string(), v.string()),
	records: v.record(v.string(), v.string()),
	mails: v.array(v.object({ kind: v.picklist(['patatt', 'dkim']), isValid: v.boolean(), mail: v.string() })),
});
type SignedMails = v.InferOutput<typeof signedMails>;

function isValidDkim(mail: SignedMail, { records }: SignedMails): boolean {
	const [signature] = dkimSignatures(mail);
	const record = signature && records[dkimKeyName(signature)];
	return record !== undefined && verifyDkim(signature!, record) === 'valid';
}

function isValidPatatt(mail: SignedMail, { keyring }: SignedMails): boolean {
	const [signature] = developerSignatures(mail, false);
	const key =
		signature &&
		keyPlaces(signature)
			.map((place) => keyring[place])
			.find((each) => each !== undefined);
	return key !== undefined && verifiesEd25519(signature!, key);
}

/** Numbers of the mails with another verdict than that of the peer. */
function compare(json: string): readonly string[] {
	const set = v.parse(signedMails, JSON.parse(json));
	const valid = set.mails.filter(({ isValid }) => isValid).length;
	assert.ok(valid > set.mails.length / 8 && valid < set.mails.length, `${valid} of ${set.mails.length} are valid`);
	return set.mails.flatMap(({ kind, isValid, mail }, at) => {
		const signed = signedMail(mail);
		assert.ok(signed);
		const found = kind === 'dkim' ? isValidDkim(signed, set) : isValidPatatt(signed, set);
		return found === isValid ? [] : [`${at} ${kind}: ${found}\n${mail}`];
	});
}

suite('signatures of mails beside patatt and dkimpy', () => {
	test('have the verdicts of both programs, stored with the mails', () => {
		assert.deepEqual(compare(readFileSync(join(corpus, 'signedMails.json'), 'utf8')), []);
	});

	testInProve('have the verdicts of both programs for new mails, half of them tampered with', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'forge-desk-peers-'));
		try {
			const python = join(folder, 'bin/python');
			execFileSync('python3', ['-m', 'venv', folder]);
			execFileSync(python, ['-m', 'pip', 'install', '--quiet', 'patatt==0.8.0', 'dkimpy==1.1.8', 'pynacl']);
			const args = [join(corpus, 'signMails.py'), '400', String(seed())];
			const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', XDG_DATA_HOME: folder };
			const json = execFileSync(python, args, { encoding: 'utf8', env, maxBuffer: 2 ** 26 });
			assert.deepEqual(compare(json), []);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
