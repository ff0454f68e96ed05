import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { Token } from 'sourcehut/identity/token.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import { readScopes } from 'sourcehut/port/scope.ts';
import { grantsFor } from 'sourcehut/identity/scopeUnion.ts';
import { protocolSuite, type Contract } from '../support/contractForge.ts';
import { expiredCertificate, expiredKey } from '../support/expiredCertificate.ts';
import { grantToken } from '../support/grantToken.ts';
import { selfSignedCertificate, selfSignedKey } from '../support/selfSigned.ts';
import { startLocalServer } from '../support/localServer.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';
import { checkedWorld, marked, type CheckedWorld } from './support/checkedWorld.ts';

const day = 86_400_000;

/** A broken set-up and the line that must name it. */
interface Broken {
	readonly about: string;
	/** Ends what it started. */
	readonly arrange: (world: CheckedWorld, contract: Contract) => Promise<() => unknown>;
	readonly line: RegExp;
	readonly level: 'warning' | 'action';
	/** Label of the button. */
	readonly remedy: string;
	/** The set-up rules out any request with the token. */
	readonly withoutToken?: true;
}

const place = { address: '127.0.0.1', port: 4711 };

const nothing = (): void => undefined;

/** A web server over TLS with this certificate, in place of the tracker service. */
async function overTls(world: CheckedWorld, cert: string, key: string): Promise<() => Promise<unknown>> {
	const server = createTlsServer({ cert, key }, (_, response) => response.end('{}'));
	return listen(server, (port) => world.moveService('todo', `https://127.0.0.1:${port}`));
}

/** The answer to the request without a token, of the tracker service. */
async function openly(
	{ forge }: Contract,
	fault: Parameters<ReturnType<Contract['forge']>['sample']['fault']>[1],
): Promise<() => Promise<void>> {
	const { sample } = forge();
	await sample.fault({ area: 'todo', path: '^/query/api-meta' }, fault, 9);
	return () => sample.clearFaults();
}

function failedLook(world: CheckedWorld, reason: 'dns' | 'offline' | 'timeout' | 'reset'): void {
	world.look = (origin) => {
		throw new ForgeError({ kind: 'unreachable', reason, host: new URL(origin).host });
	};
}

/** A proxy that answers every tunnel alike. */
async function overProxy(world: CheckedWorld, status: number): Promise<() => Promise<void>> {
	const proxy = createServer();
	proxy.on('connect', (_, socket) => void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`));
	const stop = await listen(proxy, (port) => {
		stubbed.settings.set('http.proxy', `http://${marked.proxyUser}:${marked.proxyPassword}@127.0.0.1:${port}`);
	});
	world.moveService('todo', 'https://todo.forge.test');
	return stop;
}

async function listen(server: Server, opened: (port: number) => void): Promise<() => Promise<void>> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	assert.ok(address !== null && typeof address === 'object');
	opened(address.port);
	return async () => {
		const closed = once(server, 'close');
		server.close();
		server.closeAllConnections();
		await closed;
	};
}

async function lackingGrants(world: CheckedWorld, { forge, dialect }: Contract, area: ContentArea): Promise<void> {
	const { sample } = forge();
	const protocol = world.protocol();
	const held = readScopes.filter((scope) => !world.areaScopes(area).includes(scope));
	const token = await sample.token('alice', grantsFor(held, protocol));
	world.session = { ...world.session, token: new Token(token), scopes: held };
	assert.ok(dialect !== 'graphql' || protocol.readToken(token).kind === 'told');
}

const setups: readonly Broken[] = [
	{
		about: 'a host without an entry in DNS',
		arrange: async (world) => (failedLook(world, 'dns'), nothing),
		line: /cannot be found\. Check that this computer is online/,
		level: 'action',
		remedy: 'Open Guide',
		withoutToken: true,
	},
	{
		about: 'no network',
		arrange: async (world) => (failedLook(world, 'offline'), nothing),
		line: /there is no network\. Try again once you are online/,
		level: 'action',
		remedy: 'Open Guide',
		withoutToken: true,
	},
	{
		about: 'a service without an answer',
		arrange: async (world) => (failedLook(world, 'timeout'), nothing),
		line: /didn't respond in time\. Check for a firewall or VPN/,
		level: 'action',
		remedy: 'Open Guide',
		withoutToken: true,
	},
	{
		about: 'a closed port',
		async arrange(world) {
			const gone = await startLocalServer((_, response) => response.end());
			await gone.stop();
			world.moveService('todo', gone.origin);
			return nothing;
		},
		line: /accepts no connection\. Try again later/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'a self-signed certificate',
		arrange: (world) => overTls(world, selfSignedCertificate, selfSignedKey),
		line: /The issuer of the certificate of 127\.0\.0\.1:\d+ is unknown to this computer\. Add it/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'an expired certificate',
		async arrange(world) {
			const before = getCACertificates('default');
			setDefaultCACertificates([...before, expiredCertificate]);
			const end = await overTls(world, expiredCertificate, expiredKey);
			return async () => {
				setDefaultCACertificates(before);
				await end();
			};
		},
		line: /certificate of 127\.0\.0\.1:\d+ has expired\. Check the clock/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'a sign-in page of the network',
		arrange: (_, contract) => openly(contract, { kind: 'contentType' }),
		line: /A web page responds in place of .* sign in to your network/,
		level: 'action',
		remedy: 'Open Guide',
	},
	...(['refresh', 'proxyUser', 'proxyPassword', 'proxyAuthorization'] as const).map((secret): Broken => ({
		about: `a redirect to a host whose name repeats the secret ${secret}`,
		arrange: (_, contract) =>
			openly(contract, { kind: 'redirect', to: `https://${marked[secret]}.portal.example/login` }),
		line: /redirects to \[secret\]\.portal\.example, where your token is not sent/,
		level: 'action',
		remedy: 'Open Guide',
	})),
	...[502, 503].map((status): Broken => ({
		about: `HTTP status ${status}`,
		arrange: (_, contract) => openly(contract, { kind: 'status', status }),
		line: new RegExp(String.raw`is not available now \(HTTP status ${status}\)\. Try again later`),
		level: 'action',
		remedy: 'Open Guide',
	})),
	{
		about: 'HTTP status 500',
		arrange: (_, contract) => openly(contract, { kind: 'status', status: 500 }),
		line: /failed with HTTP status 500\. Try again later/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'too many requests',
		arrange: (_, contract) => openly(contract, { kind: 'status', status: 429, headers: { 'Retry-After': '60' } }),
		line: /received too many requests\. Wait a minute/,
		level: 'warning',
		remedy: 'Open Settings',
	},
	{
		about: 'a token that nobody made',
		async arrange(world, { dialect }) {
			const wrong =
				dialect === 'graphql'
					? grantToken({ expiresS: 4_000_000_000, grants: '', clientId: '', name: 'alice' })
					: '0123456789abcdef0123456789abcdef';
			world.session = { ...world.session, token: new Token(wrong) };
			return nothing;
		},
		line: /rejects the token: it is wrong, or someone revoked it\. Sign in again/,
		level: 'action',
		remedy: 'Sign In Again',
	},
	{
		about: 'a revoked token',
		async arrange(world, { forge }) {
			const { sample } = forge();
			await sample.act('/meta/revoke', { token: world.session.token.reveal() });
			return () => sample.reset();
		},
		line: /rejects the token: it is wrong, or someone revoked it\. Sign in again/,
		level: 'action',
		remedy: 'Sign In Again',
	},
	{
		about: 'an expired token',
		async arrange(world, { dialect }) {
			const token =
				dialect === 'graphql'
					? new Token(grantToken({ expiresS: 1_600_000_000, grants: '', clientId: '', name: 'alice' }))
					: world.session.token;
			world.session = { ...world.session, token, expiresMs: 1_600_000_000_000 };
			return nothing;
		},
		line: /The token expired on Sep 13, 2020\. Sign in again/,
		level: 'action',
		remedy: 'Sign In Again',
		withoutToken: true,
	},
	{
		about: 'a token that ends in three days',
		async arrange(world, { forge, dialect }) {
			const { sample } = forge();
			const made = await sample.act('/meta/token', { user: 'alice', expiresInS: 3 * 86_400 });
			const token = dialect === 'graphql' ? String(Reflect.get(Object(made), 'token')) : sample.tokens.alice;
			const { refresh: _, ...session } = world.session;
			world.session = { ...session, token: new Token(token), expiresMs: Date.now() + 3 * day };
			return nothing;
		},
		line: /The token of ~alice ends on .*\. Sign in again before/,
		level: 'warning',
		remedy: 'Sign In Again',
	},
	{
		about: "another person's token",
		async arrange(world, { forge }) {
			world.session = { ...world.session, token: new Token(forge().sample.tokens.bob) };
			return nothing;
		},
		line: /belongs to ~bob\. Sign in again with your own token/,
		level: 'action',
		remedy: 'Sign In Again',
	},
	...(['todo', 'lists', 'git'] as const).map((area): Broken => ({
		about: `a token without permissions for ${area}`,
		async arrange(world, contract) {
			await lackingGrants(world, contract, area);
			return nothing;
		},
		line: /The token lacks permissions on 127\.0\.0\.1:\d+: .*\. Sign in again to grant them/,
		level: 'action',
		remedy: 'Sign In Again',
	})),
	{
		about: 'a suspended account, whose reason repeats the token',
		async arrange(world, { forge }) {
			const { sample } = forge();
			await sample.act('/meta/bar', { user: 'alice', reason: `Barred, with ${world.session.token.reveal()}` });
			return () => sample.reset();
		},
		line: /bars this account: .*Barred, with .*Ask the operator/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'a service that rejected the token at sign-in',
		async arrange(world) {
			world.session = { ...world.session, refusedBy: ['todo', 'lists', 'git'] };
			return nothing;
		},
		line: /rejected the token at sign-in and gets none since\. Sign in with another token/,
		level: 'action',
		remedy: 'Sign In Again',
		withoutToken: true,
	},
	{
		about: 'URLs that changed since the sign-in',
		async arrange(world) {
			world.session = { ...world.session, origins: { ...world.session.origins, git: 'https://git.elsewhere.test' } };
			return nothing;
		},
		line: /URLs of this forge changed since the sign-in, so no service gets the token\. Sign in again/,
		level: 'action',
		remedy: 'Sign In Again',
		withoutToken: true,
	},
	{
		about: 'a clock that is ten minutes ahead',
		arrange: async (world) => ((world.clockOffMs = 600_000), nothing),
		line: /clock of this computer is 10 minutes ahead of the forge\. Let your system set the time/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'a clock that is ten minutes behind',
		arrange: async (world) => ((world.clockOffMs = -600_000), nothing),
		line: /clock of this computer is 10 minutes behind the forge/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'a proxy that refuses',
		arrange: (world) => overProxy(world, 403),
		line: /The proxy does not allow connections to todo\.forge\.test\. Ask its operator/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'a proxy that needs a password',
		arrange: (world) => overProxy(world, 407),
		line: /The proxy needs a user name and password for todo\.forge\.test\. Set "http\.proxyAuthorization"/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'a proxy that is off',
		async arrange(world) {
			const end = await overProxy(world, 403);
			await end();
			return nothing;
		},
		line: /The proxy for todo\.forge\.test cannot be reached\. Correct its URL/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'a setting that is no proxy',
		async arrange(world) {
			stubbed.settings.set('http.proxy', `ftp://${marked.proxyUser}:${marked.proxyPassword}@proxy.example`);
			world.moveService('todo', 'https://todo.forge.test');
			failedLook(world, 'dns');
			return nothing;
		},
		line: /The setting "http\.proxy" is not the URL of a proxy, so it is ignored\. Correct it/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'a proxy script that fails',
		async arrange(world) {
			world.proxy = { kind: 'unusable', source: 'system' };
			return nothing;
		},
		line: /The proxy of your system could not be determined: its script failed/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'certificates that nobody checks',
		async arrange(world) {
			stubbed.settings.set('http.proxyStrictSSL', false);
			world.moveService('todo', 'https://todo.forge.test');
			failedLook(world, 'dns');
			return nothing;
		},
		line: /Certificates are not checked, so anyone in between can read your token/,
		level: 'warning',
		remedy: 'Open Settings',
	},
	{
		about: 'a budget that is spent',
		arrange: async (world) => ((world.budget = { perHour: 300, spent: 300, readyMs: Date.now() + day }), nothing),
		line: /The hourly limit of background requests \(300\) is reached until .*\. Raise it/,
		level: 'warning',
		remedy: 'Open Settings',
	},
];

/** The computer is the same in every dialect. */
const computers: readonly Broken[] = [
	{
		about: 'no git',
		arrange: async () => nothing,
		line: /Git was not found\. Install git, or set "git\.path"/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'an old git',
		arrange: async (world) => ((world.git = 'old'), nothing),
		line: /Git 2\.20\.1 is too old\. Install git 2\.32 or later/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'a git that fails',
		arrange: async (world) => ((world.git = 'broken'), nothing),
		line: /Git was found but does not run/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'no git send-email',
		arrange: async (world) => ((world.git = 'withoutMail'), nothing),
		line: /git send-email is not installed, so patches cannot be sent\. Install the package/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'a mail program without a server',
		async arrange(world) {
			world.git = 'whole';
			world.setGit('--unset', 'sendemail.smtpServer');
			return nothing;
		},
		line: /git send-email has no server\. Set "sendemail\.smtpServer"/,
		level: 'warning',
		remedy: 'Open Guide',
	},
	{
		about: 'a mail server with a password in its name',
		async arrange(world) {
			world.git = 'whole';
			world.setGit('sendemail.smtpServer', `smtps://alice:${marked.smtpPassword}@mail.example`);
			return nothing;
		},
		line: /"sendemail\.smtpServer" in the settings of git is not a host name\. Correct it/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'git without an email address',
		async arrange(world) {
			world.git = 'whole';
			world.setGit('--unset', 'user.email');
			return nothing;
		},
		line: /Git does not know your email address\. Set "user\.email"/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'a sender that is no address',
		async arrange(world) {
			world.git = 'whole';
			world.setGit('sendemail.from', 'nobody in particular');
			return nothing;
		},
		line: /"sendemail\.from" is not one email address\. Correct it/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'a remote that belongs to no account',
		async arrange(world) {
			world.repositories[0]?.remotes.shift();
			return nothing;
		},
		line: /No remote of the folder "lantern" belongs to your accounts: upstream \(git\.example\)\. Sign in to its forge/,
		level: 'warning',
		remedy: 'Link Folder…',
	},
	{
		about: "the editor's Git extension off",
		async arrange(world) {
			world.repositories.length = 0;
			return nothing;
		},
		line: /The editor's Git extension is off, so remotes of folders were not checked\. Turn it on/,
		level: 'warning',
		remedy: 'Open Settings',
	},
	{
		about: 'Restricted Mode',
		async arrange(world) {
			world.git = 'whole';
			world.isTrusted = false;
			return nothing;
		},
		line: /Git is disabled in Restricted Mode, so clones, patches and email were not checked\. Trust this window/,
		level: 'action',
		remedy: 'Manage Trust…',
	},
	{
		about: 'a public URL that nothing answers',
		async arrange(world) {
			const gone = await startLocalServer((_, response) => response.end());
			await gone.stop();
			world.listening = { kind: 'open', place };
			world.publicAddress = `${gone.origin}/${marked.hookPath}`;
			return nothing;
		},
		line: /cannot be reached, so no webhook arrives\. Start your tunnel/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'a public URL of another server',
		async arrange(world) {
			const other = await startLocalServer((_, response) => void response.writeHead(404).end('Not here'));
			world.listening = { kind: 'open', place };
			world.publicAddress = `${other.origin}/${marked.hookPath}`;
			return () => other.stop();
		},
		line: /does not lead to Forge Desk \(HTTP status 404\)\. Check where the tunnel or proxy leads/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'a tunnel that changes the host name',
		async arrange(world) {
			const other = await startLocalServer((_, response) => response.end(`:${marked.hookPath} inner.example`));
			world.listening = { kind: 'elsewhere', place };
			world.publicAddress = other.origin;
			return () => other.stop();
		},
		line: /leads to Forge Desk under another name, so deliveries are rejected\. Let your tunnel or proxy keep/,
		level: 'action',
		remedy: 'Open Guide',
	},
	{
		about: 'a port for webhooks that another program uses',
		arrange: async (world) => ((world.listening = { kind: 'portTaken', place }), nothing),
		line: /Webhooks are not received: another program uses port 4711\. Close it, or choose another port/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'no public URL',
		async arrange(world) {
			world.listening = { kind: 'open', place };
			world.publicAddress = undefined;
			return nothing;
		},
		line: /No forge can send webhooks to this computer: the public URL is missing or wrong\. Set it/,
		level: 'action',
		remedy: 'Open Settings',
	},
	{
		about: 'an account that the keyring does not give',
		async arrange(world) {
			await world.secrets.store('forge.session:carol.sr.ht', 'damaged');
			return nothing;
		},
		line: /The saved token could not be read\. Unlock the keyring of your system/,
		level: 'action',
		remedy: 'Sign In…',
	},
	{
		about: 'an account whose forge left the settings',
		async arrange(world) {
			world.session = { ...world.session, instanceId: 'gone.example' };
			return nothing;
		},
		line: /The settings no longer name the forge of this account\. Add it again, or sign out/,
		level: 'action',
		remedy: 'Open Settings',
	},
];

protocolSuite('broken set-ups', { firstIn: 'graphql' }, (contract) => {
	let world: CheckedWorld;

	setup(() => {
		resetStub();
		world = checkedWorld(contract.forge());
	});
	teardown(async () => {
		await world.close();
		await contract.forge().sample.clearFaults();
	});

	const meant = contract.dialect === 'graphql' ? [...setups, ...computers] : setups;
	for (const { about, arrange, line, level, remedy, withoutToken } of meant) {
		test(`${about}: the report names it with its remedy, and no secret`, async () => {
			const { sample } = contract.forge();
			const end = await arrange(world, contract);
			try {
				await sample.forgetRequests();
				const { lines, report, log } = await world.check();
				const named = lines.find((each) => line.test(each.text));
				assert.ok(named, `No line says ${line}:\n${report}`);
				assert.deepEqual([named.level, named.remedy?.label], [level, remedy]);
				assert.match(report, line);
				if (withoutToken) {
					assert.deepEqual(
						(await sample.requests()).filter(({ hasToken }) => hasToken),
						[],
						'the token stays here',
					);
				}
				world.assertNoSecret(report, log);
			} finally {
				await end();
			}
		});
	}

	test('a working set-up: every line is fine, and no secret is in the report', async () => {
		world.git = 'whole';
		const here = await startLocalServer((_, response) => response.end(`:${marked.hookPath}`));
		world.listening = { kind: 'open', place };
		world.publicAddress = `${here.origin}/${marked.hookPath}`;
		const { lines, report, log } = await world.check();
		await here.stop();
		assert.deepEqual(
			lines.filter((each) => each.level !== 'ok').map(({ text }) => text),
			[],
		);
		assert.match(report, /~alice on Sample forge\n(?: {2}\[OK\] 127\.0\.0\.1:\d+ responds.*\n){4,}/);
		assert.match(report, /accepts the token/);
		assert.match(report, /The clock of this computer agrees with the forge/);
		assert.match(report, /Git 2\.45\.2 is used\.\n.*sends through the server mail\.example/);
		assert.match(report, /origin \(~alice\/lantern, Sample forge\)\. Others: upstream \(git\.example\)/);
		assert.match(report, /127\.0\.0\.1:\d+ leads to Forge Desk, so webhooks can arrive/);
		world.assertNoSecret(report, log);
	});
});
