import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../../../harness/places.ts';
import { noGit } from '../../../support/noGit.ts';

const { mailSignatures } = await import('../../../../src/app/machine/mailSignatures.ts');

const never = new AbortController().signal;
const authors = ['zoe@forge.test'];
const set = v.parse(
	v.object({
		records: v.record(v.string(), v.string()),
		mails: v.array(v.object({ kind: v.string(), isValid: v.boolean(), mail: v.string() })),
	}),
	JSON.parse(readFileSync(join(root, 'test/corpus/attest/signedMails.json'), 'utf8')),
);
const signed = set.mails.filter(({ kind, isValid }) => kind === 'dkim' && isValid).map(({ mail }) => mail);

/** Signatures with these answers to the question, and a DNS that fails with a code. */
function rig(answer: boolean, failure?: string) {
	const asked: string[] = [];
	const resolved: string[] = [];
	const lookedUp: string[] = [];
	const { git } = noGit();
	const machine = {
		isTrusted: () => false,
		gitPath: async () => undefined,
		openFolders: () => [],
		environment: {},
		isWindows: false,
		devNull: '/dev/null',
	};
	const signatures = mailSignatures(
		{ machine, git, tempFolder: tmpdir() },
		{
			clones: async () => {
				lookedUp.push('clones');
				return [];
			},
			ask: async () => {
				asked.push('asked');
				return answer;
			},
			resolve: async (name) => {
				resolved.push(name);
				if (failure !== undefined) {
					throw Object.assign(new Error('No answer'), { code: failure });
				}
				const record = set.records[name] ?? '';
				return [[record.slice(0, 20), record.slice(20)]];
			},
		},
	);
	const check = async (mail: string) => (await signatures.check(mail, authors, never)).map(({ state }) => state);
	return { asked, resolved, lookedUp, signatures, check };
}

suite('keys of people', () => {
	test('are not looked up in an untrusted window', async () => {
		const { lookedUp, check } = rig(true);
		const [mail = ''] = set.mails.filter(({ kind, isValid }) => kind === 'patatt' && isValid).map((each) => each.mail);
		assert.deepEqual([await check(mail), lookedUp], [['notChecked'], []]);
	});
});

suite('keys of domains in DNS', () => {
	test('are not requested before the user allowed it, nor after a no', async () => {
		const { asked, resolved, signatures, check } = rig(false);
		const [first = '', second = ''] = signed;
		assert.deepEqual(await check(first), ['notAsked']);
		assert.deepEqual(asked, [], 'a check asks nothing');
		let allowed = 0;
		signatures.onDidAllow(() => (allowed += 1));
		await signatures.allowDns();
		await signatures.allowDns();
		assert.deepEqual([await check(first), await check(second)], [['notAsked'], ['notAsked']]);
		assert.deepEqual([asked.length, allowed, resolved], [2, 0, []]);
	});

	test('are requested once each after a yes, in one piece', async () => {
		const { asked, resolved, signatures, check } = rig(true);
		let allowed = 0;
		signatures.onDidAllow(() => (allowed += 1));
		await Promise.all([signatures.allowDns(), signatures.allowDns()]);
		await signatures.allowDns();
		for (const mail of [...signed, ...signed]) {
			assert.deepEqual(await check(mail), ['valid']);
		}
		assert.deepEqual([asked.length, allowed, resolved.length], [2, 1, new Set(resolved).size]);
	});

	test('need no question without a signature of the author’s domain', async () => {
		const { signatures, check } = rig(false);
		assert.deepEqual(await check('From: Zoe <zoe@forge.test>\r\n\r\nHello.\r\n'), []);
		const [found] = await signatures.check(signed[0] ?? '', ['zoe@other.test'], never);
		assert.equal(found?.state, 'otherSigner');
	});

	test('are unknown if DNS has none, and not checked while it fails', async () => {
		for (const [code, state] of [
			['ENOTFOUND', 'unknownKey'],
			['ENODATA', 'unknownKey'],
			['ETIMEOUT', 'notChecked'],
			['ECONNREFUSED', 'notChecked'],
		] as const) {
			const { signatures, check } = rig(true, code);
			await signatures.allowDns();
			assert.deepEqual(await check(signed[0] ?? ''), [state]);
		}
	});
});
