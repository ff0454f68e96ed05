import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type {
	CertificateTrouble,
	ServiceTrouble,
	TokenAnswer,
	TokenFinding,
} from '../../../../src/features/connectionCheck/findings.ts';
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

/** Lines of a service from the settings, and of a built-in one where they differ. */
const ofTroubles: Readonly<Record<Exclude<ServiceTrouble['kind'], 'certificate'>, readonly [string, string?]>> = {
	offline: [guide],
	dns: [settings, guide],
	refused: [settings, guide],
	reset: [guide],
	timeout: [guide],
	proxyRefuses: [proxy],
	proxyAsks: [proxy],
	proxyUnreachable: [proxy],
	proxyUnusable: [proxy],
	webPage: [guide],
	redirected: [settings, guide],
	rateLimited: ['warning forge.index.requestsPerHour'],
	unavailable: [guide],
	serverError: [guide],
	notUnderstood: [settings, guide],
};

const ofCertificates: Readonly<Record<CertificateTrouble, string>> = {
	expired: guide,
	notYetValid: guide,
	selfSigned: 'action http.systemCertificates',
	otherHost: settings,
	other: 'action http.systemCertificates',
};

function troubleOf(kind: keyof typeof ofTroubles): ServiceTrouble {
	switch (kind) {
		case 'redirected':
			return { kind, toHost: 'portal.example' };
		case 'unavailable':
		case 'serverError':
			return { kind, status: 503 };
		default:
			return { kind };
	}
}

suite('lines of Check Connection', () => {
	for (const kind of Object.keys(ofTroubles) as (keyof typeof ofTroubles)[]) {
		test(`a service with the trouble "${kind}" is not fine, with or without a token`, () => {
			const [line, other = line] = ofTroubles[kind];
			const trouble = troubleOf(kind);
			assert.deepEqual(
				[service, builtIn].map((each) => told(serviceLine(each, trouble))),
				[line, other],
			);
			assert.deepEqual(tokenAnswerLine(service, trouble, 'alice.example'), serviceLine(service, trouble));
			assert.ok(serviceLine(service, trouble).text.includes(host));
		});
	}

	for (const why of Object.keys(ofCertificates) as CertificateTrouble[]) {
		test(`a certificate with the trouble "${why}" is not fine`, () => {
			assert.equal(told(serviceLine(service, { kind: 'certificate', why })), ofCertificates[why]);
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
