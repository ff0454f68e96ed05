import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { ForgeDirectory } from '../../../src/editor/accounts/forgeDirectory.ts';
import type { Session } from '../../../src/editor/accounts/session.ts';
import { SessionStore } from '../../../src/editor/accounts/sessionStore.ts';
import type { CheckContext, CheckNet } from '../../../src/features/connectionCheck/checkContext.ts';
import type { Line } from '../../../src/features/connectionCheck/line.ts';
import type { Connection } from '../../../src/store/connection.ts';
import type { Listening } from '../../../src/store/listening/listening.ts';
import type { PostDelivery } from '../../../src/store/listening/probeAddress.ts';
import { Token } from 'sourcehut/identity/token.ts';
import type { ForgeProtocol } from 'sourcehut/port/forgeProtocol.ts';
import { forEachArea, type ContentArea, type ForgeInstance } from 'sourcehut/port/instance.ts';
import type { ProxyUse } from 'sourcehut/port/proxyUse.ts';
import { areaOfScope, scopes, type Scope } from 'sourcehut/port/scope.ts';
import type { ServiceLook } from 'sourcehut/port/serviceLook.ts';
import { openNet, type Net } from 'sourcehut/net.ts';
import { systemClock, wanted, type ContractForge } from '../../support/contractForge.ts';
import { fakeGit, fakeRepository, type FakeRepository } from '../../support/fakeGit.ts';
import { fakeSecrets } from '../../support/fakeSecrets.ts';
import { testMachine, type TestMachine } from '../../support/localMachine.ts';
import { makeSession } from '../../support/makeSession.ts';
import { quietLog } from '../../support/quietLog.ts';
import { standFor } from '../../support/standFor.ts';
import { stubbed } from '../../support/vscodeValues.ts';

const { checkNet } = await import('../../../src/app/accounts/checkParts.ts');
const { proxyFor } = await import('../../../src/app/accounts/editorProxies.ts');
const { transportSettings, waysOf } = await import('../../../src/app/accounts/network.ts');
const { problems } = await import('../../../src/editor/ask/problems.ts');
const { checkRun } = await import('../../../src/features/connectionCheck/checkRun.ts');
const { reportText } = await import('../../../src/features/connectionCheck/reportText.ts');

/** Secrets of every world. None may be in a report or in the log. */
export const marked = {
	refresh: 'refresh-secret-4711',
	proxyUser: 'proxy-user-4712',
	proxyPassword: 'proxy-secret-4713',
	proxyAuthorization: 'Basic-secret-4714',
	hookPath: 'hook-secret-4715',
	smtpPassword: 'smtp-secret-4716',
	remotePassword: 'remote-secret-4717',
	home: 'home-of-somebody-4718',
} as const;

/** Git of a world. */
export type GitOfWorld = 'whole' | 'none' | 'old' | 'withoutMail' | 'broken';

/** Everything that Check Connection looks at. */
export interface CheckedWorld {
	session: Session;
	/** Accounts beside the session, in the secret storage. */
	readonly secrets: ReturnType<typeof fakeSecrets>;
	clockOffMs: number;
	budget: { readonly perHour: number; readonly spent: number; readonly readyMs: number };
	proxy: ProxyUse | undefined;
	look: ((origin: string) => ServiceLook) | undefined;
	git: GitOfWorld;
	isTrusted: boolean;
	listening: Listening['state'];
	/** Public URL of the listener. */
	publicAddress: string | undefined;
	readonly repositories: FakeRepository[];
	readonly machine: TestMachine;
	/** Changes the user's settings of git. */
	setGit(...args: readonly string[]): void;
	protocol(): ForgeProtocol;
	areaScopes(area: ContentArea): readonly Scope[];
	/** Another URL for one service, from before the sign-in. */
	moveService(area: ContentArea, origin: string): void;
	check(): Promise<{
		readonly lines: readonly Line[];
		readonly report: string;
		readonly log: string;
	}>;
	assertNoSecret(...texts: readonly string[]): void;
	close(): Promise<void>;
}

/** `sends` answers the version, and whether mail can be sent; everything else is git itself. */
function gitProgram(folder: string, git: Exclude<GitOfWorld, 'none'>): string {
	const path = join(folder, `git-${git}`);
	const version = git === 'old' ? 'git version 2.20.1' : 'git version 2.45.2';
	const help = `echo "git send-email' [<options>] <file|directory>"`;
	const missing = `echo "git: 'send-email' is not a git command. See 'git --help'." >&2; exit 1`;
	writeFileSync(
		path,
		`#!/bin/sh
for each in "$@"; do
	case "$each" in
		--version) echo "${version}"; exit 0;;
		version) ${git === 'broken' ? 'echo broken >&2; exit 3' : `echo "${version}"; exit 0`};;
		send-email) ${git === 'withoutMail' ? missing : `${help}; exit 0`};;
	esac
done
exec git "$@"
`,
	);
	chmodSync(path, 0o755);
	return path;
}

/** A healthy world over a running sample forge. */
export function checkedWorld({ sample, instance: whole, net: plainNet }: ContractForge): CheckedWorld {
	let instance: ForgeInstance = whole;
	let git: string | undefined;
	const machine = testMachine({ gitPath: async () => git });
	machine.plain(machine.home, 'config', '--global', 'sendemail.smtpServer', 'mail.example');
	machine.plain(machine.home, 'config', '--global', 'sendemail.smtpPass', marked.smtpPassword);
	machine.plain(machine.home, 'config', '--global', 'user.email', 'alice@forge.test');
	machine.plain(machine.home, 'config', '--global', 'user.name', 'Alice');
	stubbed.settings.set('http.proxy', `http://${marked.proxyUser}:${marked.proxyPassword}@proxy.example:3128`);
	stubbed.settings.set('http.proxyAuthorization', marked.proxyAuthorization);
	const repository = fakeRepository(`/${marked.home}/code/lantern`);
	repository.remotes.push({ name: 'origin', fetchUrl: `${whole.areas.git}/~alice/lantern` });
	repository.remotes.push({ name: 'upstream', fetchUrl: `https://me:${marked.remotePassword}@git.example/lantern` });
	const secrets = fakeSecrets();
	const heard: string[] = [];
	const note = (text: string): void => void heard.push(text);
	const log = quietLog({ info: note, warn: note, error: note });
	let opened: Net | undefined;

	const world: CheckedWorld = {
		session: makeSession({
			id: 'alice.sample',
			instanceId: instance.id,
			accountName: '~alice',
			token: new Token(sample.tokens.alice),
			refresh: new Token(marked.refresh),
			scopes: 'all',
			origins: instance.areas,
			...(instance.hub === undefined ? {} : { hub: instance.hub }),
		}),
		secrets,
		clockOffMs: 0,
		budget: { perHour: 300, spent: 20, readyMs: 0 },
		proxy: undefined,
		look: undefined,
		git: 'none',
		isTrusted: true,
		listening: { kind: 'off' },
		publicAddress: `https://hooks.example/${marked.hookPath}`,
		repositories: [repository],
		machine,
		setGit: (...args) => void machine.plain(machine.home, 'config', '--global', ...args),
		protocol: () => plainNet.protocol(instance),
		areaScopes: (area) => scopes.filter((scope) => areaOfScope(scope) === area),
		moveService(area, origin) {
			instance = { ...instance, areas: { ...instance.areas, [area]: origin } };
			world.session = { ...world.session, origins: instance.areas };
		},
		async check() {
			git = world.git === 'none' ? undefined : gitProgram(machine.folder, world.git);
			const path = world.git === 'none' ? '' : machine.parts.environment['PATH'];
			Object.assign(machine.parts.environment, { PATH: path });
			const setting = (key: string): unknown => stubbed.settings.get(key);
			const clock: Clock = { ...systemClock, nowMs: () => Date.now() + world.clockOffMs };
			const net = openNet({
				transport: transportSettings(setting, '0.0.0', waysOf(setting, {}, undefined, Date.now).wayTo),
				clock,
				random: Math.random,
			});
			opened = net;
			const sessions = new SessionStore(secrets, log);
			await sessions.put({ ...world.session, inMemoryOnly: true });
			const context = contextOf(world, { net, sessions, instance, clock, log: problems(log, () => undefined, clock) });
			const run = checkRun(context, () => undefined, wanted());
			await run.ended;
			await net.close();
			opened = undefined;
			return {
				lines: run.groups().flatMap(({ checks }) => checks.flatMap(({ lines = [] }) => lines)),
				report: reportText(run.groups(), context.program),
				log: heard.join('\n'),
			};
		},
		assertNoSecret(...texts) {
			const { token, refresh } = world.session;
			for (const secret of [...Object.values(marked), token.reveal(), refresh?.reveal() ?? marked.refresh]) {
				assert.ok(!texts.join('\n').includes(secret), `The report or the log has the secret ${secret}`);
			}
		},
		async close() {
			await opened?.close();
			machine.remove();
		},
	};
	return world;
}

/** The context that the desk would give. */
function contextOf(
	world: CheckedWorld,
	{
		net,
		sessions,
		instance,
		clock,
		log,
	}: {
		readonly net: Net;
		readonly sessions: SessionStore;
		readonly instance: ForgeInstance;
		readonly clock: Clock;
		readonly log: CheckContext['problems'];
	},
): CheckContext {
	const { machine } = world;
	const { key, me } = { key: world.session.id, me: world.session.accountName };
	const connection = standFor<Connection>({ key, me, instance, inboxReadings: { budget: () => world.budget } });
	const post: PostDelivery = ({ origin, path, headers, json }, signal) =>
		net.request({
			instance: { areas: forEachArea(() => origin) },
			area: 'meta',
			method: 'POST',
			path,
			headers,
			body: { contentType: 'application/json', text: json },
			signal,
		});
	const real = checkNet(
		async () => net,
		(origin) => proxyFor(origin, undefined, (key) => stubbed.settings.get(key), {}),
		{},
	);
	const asked: CheckNet = {
		...real,
		look: async (origin, signal) => world.look?.(origin) ?? (await real.look(origin, signal)),
		proxyFor: async (address, signal) => world.proxy ?? (await real.proxyFor(address, signal)),
	};
	return {
		sessions,
		forges: standFor<ForgeDirectory>({
			all: () => [instance],
			byId: (id: string) => (id === instance.id ? instance : undefined),
		}),
		connections: {
			all: () => [connection],
			byKey: (wished) => (wished === key ? connection : undefined),
			onDidChange: () => ({ dispose: () => undefined }),
		},
		ready: () => Promise.resolve(),
		net: asked,
		isTrusted: () => world.isTrusted,
		git: {
			git: world.isTrusted ? machine.git : testMachine({ isTrusted: () => false }).git,
			tempFolder: machine.folder,
		},
		findGit: fakeGit(...world.repositories),
		email: undefined,
		home: `/${marked.home}`,
		listening: standFor<Listening>({
			state: world.listening,
			addressFor: () => world.publicAddress,
			beginProbe: async () => ({
				path: `/${marked.hookPath}`,
				text: `:${marked.hookPath}`,
				dispose: () => undefined,
			}),
		}),
		post,
		pages: standFor<CheckContext['pages']>({}),
		problems: log,
		program: 'Forge Desk 0.0.0, Visual Studio Code 1.139.0, linux',
		clock,
	};
}
