import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { ServiceTrouble, TokenAnswer, TokenFinding } from '../../../../src/features/connectionCheck/findings.ts';
import type { Line } from '../../../../src/features/connectionCheck/line.ts';

const { budgetLine, clockLine, grantsLine, serviceLine, tokenAnswerLine, tokenLine } =
	await import('../../../../src/features/connectionCheck/accountWords.ts');
const { folderLine, gitLine, listenerLine, mailLines, probedLine, proxyLine } =
	await import('../../../../src/features/connectionCheck/computerWords.ts');

const host = 'todo.example';
const service = { host, isBuiltIn: false };
const builtIn = { host, isBuiltIn: true };
const place = { address: '127.0.0.1', port: 4711 };

/** The level, the place of the remedy, and the text, with the remedy's argument in place of its label. */
function told({ level, remedy }: Line): string {
	const argument = remedy?.argument;
	return [level, ...(argument === undefined ? [] : [JSON.stringify(argument).replaceAll(/["{}]/g, '')])].join(' ');
}

const settings = 'action forge.forges';
const guide = 'action guide:troubleshooting';
const proxy = 'action http.proxy';
const again = 'action sessionId:alice.example';

/** Every trouble with its line for a service from the settings, and for a built-in one where that differs. */
const ofTroubles: readonly (readonly [trouble: ServiceTrouble, line: string, builtIn?: string])[] = [
	[{ kind: 'offline' }, guide],
	[{ kind: 'dns' }, settings, guide],
	[{ kind: 'refused' }, settings, guide],
	[{ kind: 'reset' }, guide],
	[{ kind: 'timeout' }, guide],
	[{ kind: 'proxyRefuses' }, proxy],
	[{ kind: 'proxySignIn' }, proxy],
	[{ kind: 'proxyUnreachable' }, proxy],
	[{ kind: 'proxyUnusable' }, proxy],
	[{ kind: 'webPage' }, guide],
	[{ kind: 'redirected', toHost: 'portal.example' }, settings, guide],
	[{ kind: 'rateLimited' }, 'warning forge.index.requestsPerHour'],
	[{ kind: 'unavailable', status: 503 }, guide],
	[{ kind: 'serverError', status: 500 }, guide],
	[{ kind: 'notUnderstood' }, settings, guide],
	[{ kind: 'certificate', why: 'expired' }, guide],
	[{ kind: 'certificate', why: 'notYetValid' }, guide],
	[{ kind: 'certificate', why: 'selfSigned' }, 'action http.systemCertificates'],
	[{ kind: 'certificate', why: 'otherHost' }, settings],
	[{ kind: 'certificate', why: 'other' }, 'action http.systemCertificates'],
];

suite('lines of Check Connection', () => {
	for (const [trouble, line, other = line] of ofTroubles) {
		test(`a service with the trouble ${JSON.stringify(trouble)} is not fine, with or without a token`, () => {
			assert.deepEqual(
				[service, builtIn].map((each) => told(serviceLine(each, trouble))),
				[line, other],
			);
			assert.deepEqual(tokenAnswerLine(service, trouble, 'alice.example'), serviceLine(service, trouble));
			assert.ok(serviceLine(service, trouble).text.includes(host));
		});
	}

	test('each answer to a token but one asks for a new token, or for the operator', () => {
		const lineOf = (answer: TokenAnswer): string => told(tokenAnswerLine(service, answer, 'alice.example'));
		assert.equal(lineOf({ kind: 'accepted', owner: '~alice', version: '' }), 'ok');
		for (const kind of ['rejected', 'lacking', 'rejectedBefore'] as const) {
			assert.equal(lineOf({ kind }), again, kind);
		}
		assert.equal(lineOf({ kind: 'otherPerson', owner: '~bob' }), again);
		assert.equal(lineOf({ kind: 'barred', reason: 'Spam' }), guide);
		const { text } = tokenAnswerLine(service, { kind: 'barred', reason: 'Spam' }, 'alice.example');
		assert.equal(text, 'todo.example bars this account: Spam. Ask the operator of the forge.');
	});

	test('each token but a valid one asks for a new token', () => {
		const lineOf = (finding: TokenFinding): string => told(tokenLine(finding, '~alice', 'alice.example'));
		assert.equal(lineOf({ kind: 'valid', untilMs: undefined }), 'ok');
		assert.equal(lineOf({ kind: 'endsSoon', atMs: 0 }), 'warning sessionId:alice.example');
		assert.equal(lineOf({ kind: 'expired', atMs: 0 }), again);
		assert.equal(lineOf({ kind: 'otherPerson', owner: '~bob' }), again);
		assert.equal(lineOf({ kind: 'addressesChanged' }), again);
		assert.equal(lineOf({ kind: 'ofOtherServers' }), again);
	});

	test('missing permissions are an action for reading, and a warning for the rest', () => {
		const none = { area: 'git', reading: [], writing: [], besides: [] } as const;
		const lineOf = (missing: object): string => told(grantsLine({ ...none, ...missing }, host, 'alice.example'));
		assert.equal(lineOf({ reading: ['data:read'], writing: ['info:write'] }), again);
		assert.equal(lineOf({ writing: ['info:write'] }), 'warning sessionId:alice.example');
		assert.equal(lineOf({ besides: ['projects'] }), 'warning sessionId:alice.example');
	});

	test('nothing unknown is fine', () => {
		assert.equal(told(clockLine({ kind: 'unknown' })), 'warning guide:troubleshooting');
		assert.equal(told(gitLine('')), 'warning git.path');
		assert.equal(told(budgetLine({ kind: 'off' })), 'warning forge.index.requestsPerHour');
		assert.equal(told(folderLine({ folder: 'lantern', matching: [], others: [] })), 'warning');
		for (const source of ['setting', 'environment', 'system'] as const) {
			assert.equal(told(proxyLine({ kind: 'unusable', source })), proxy, source);
		}
	});

	test('a sender and a server of mails are judged apart', () => {
		const lines = (...of: readonly Parameters<typeof mailLines>[0][]): readonly string[] =>
			of.flatMap((each) => mailLines(each).map(told));
		const known = { isInstalled: true, sender: 'known' } as const;
		assert.deepEqual(
			lines(
				{ ...known, server: { kind: 'host', host: 'mail.example' } },
				{ ...known, server: { kind: 'program', name: 'msmtp' } },
			),
			['ok', 'ok'],
		);
		assert.deepEqual(lines({ ...known, server: { kind: 'none' }, sender: 'missing' }), [
			'warning guide:lists',
			'action guide:lists',
		]);
	});

	test('webhooks that do not arrive are not fine', () => {
		const url = 'forge.webhooks.publicAddress';
		for (const [kind, hasAddress, line] of [
			['off', true, 'ok'],
			['noAccount', true, 'ok'],
			['opening', true, 'warning'],
			['portTaken', true, 'action forge.webhooks'],
			['placeRefused', true, 'action forge.webhooks'],
			['open', false, `action ${url}`],
			['elsewhere', false, `action ${url}`],
		] as const) {
			const found = listenerLine({ kind, place, code: 'EACCES' }, hasAddress);
			assert.equal(found && told(found), line, kind);
		}
		for (const kind of ['open', 'elsewhere'] as const) {
			assert.equal(listenerLine({ kind, place }, true), undefined);
		}
		for (const [probed, line] of [
			[{ kind: 'reached' }, 'ok'],
			[{ kind: 'notOpen' }, 'warning forge.webhooks'],
			[{ kind: 'otherName', host: 'inner.example' }, 'action guide:notifications'],
			[{ kind: 'otherAnswer', status: 404 }, 'action forge.webhooks'],
			[{ kind: 'unreached', problem: { kind: 'notFound' } }, 'action forge.webhooks'],
		] as const) {
			assert.equal(told(probedLine(host, probed)), line, probed.kind);
		}
	});
});
