import { homedir, platform, tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { Net } from 'sourcehut/net.ts';
import type { ForgeDirectory } from '../../editor/accounts/forgeDirectory.ts';
import type { CheckNet } from '../../features/connectionCheck/checkContext.ts';
import type { DeskAccounts } from './deskAccounts.ts';
import { readAnything } from './accountNet.ts';
import { proxyInUse } from './proxyInUse.ts';

/** Accounts, network and machine for Check Connection. */
export function checkParts({ extension }: vscode.ExtensionContext, desk: DeskAccounts) {
	const { sessions, machine, shown, clock } = desk;
	const forges: ForgeDirectory = desk.forges;
	const manifest: unknown = extension.packageJSON;
	const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
	return {
		sessions,
		forges,
		net: checkNet(() => desk.net.open(), process.env),
		isTrusted: machine.isTrusted,
		git: { git: machine.git, tempFolder: tmpdir() },
		email: process.env['EMAIL'],
		home: homedir(),
		problems: shown,
		program: `Forge Desk ${String(version)}, ${vscode.env.appName} ${vscode.version}, ${platform()}`,
		clock,
	};
}

/** `net`: loads the network on the first call. */
export function checkNet(net: () => Promise<Net>, environment: Readonly<Record<string, string | undefined>>): CheckNet {
	/** Without values of the workspace, as for all requests. */
	const setting = (key: string): unknown => {
		const found = vscode.workspace.getConfiguration().inspect<unknown>(key);
		return found?.globalValue ?? found?.defaultValue;
	};
	const proxyOf = (address: string): ReturnType<typeof proxyInUse> =>
		proxyInUse(address, { get: setting }, environment);
	return {
		protocol: async (instance) => (await net()).protocol(instance),
		look: async (origin, signal) => (await net()).lookAtService(origin, signal),
		async ask(instance, area, token, signal) {
			const { users } = (await net()).connectForge({ instance, me: '', tokenFor: () => token.reveal() });
			const { canonicalName } = await users.user(area, undefined, signal);
			await readAnything(net)(instance)(area, token, signal);
			// Decoration: the answer before is the check.
			const version = await users.version?.(area, signal).catch(() => '');
			return { owner: canonicalName, version: version === 'unknown' ? '' : (version ?? '') };
		},
		proxyFor: (address) => Promise.resolve(proxyOf(address)),
		areCertificatesChecked: () => setting('http.proxyStrictSSL') !== false,
		secrets() {
			const authorization = setting('http.proxyAuthorization');
			const parts = ['http://forge.invalid', 'https://forge.invalid'].flatMap((address) => {
				const used = proxyOf(address);
				const url = used.kind === 'proxy' ? URL.parse(used.address) : null;
				return url === null ? [] : [url.username, url.password];
			});
			return [typeof authorization === 'string' ? authorization : '', ...parts];
		},
	};
}
