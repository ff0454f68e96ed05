import * as vscode from 'vscode';
import { accountName, type Connection, type Connections } from '../../store/connection.ts';
import { cancelled, choose } from './ask.ts';
import { notify } from './notify.ts';

/** Asks for an account, or returns the only one. Shows `nobody` if there is none. */
export async function askConnection(connections: Connections, nobody: string): Promise<Connection> {
	const all = connections.all();
	const [only] = all;
	if (!only) {
		await offer(nobody, { label: vscode.l10n.t('Sign In…'), command: 'forge.accounts.signIn' });
		throw cancelled();
	}
	if (all.length === 1) {
		return only;
	}
	return choose(
		vscode.l10n.t('Choose an account'),
		all.map((connection) => ({
			label: accountName(connection),
			description: connection.instance.name,
			value: connection,
		})),
	);
}

/** Says why a command has nothing to work on, and offers the step before it. */
export async function offer(message: string, { label, command }: { readonly label: string; readonly command: string }) {
	const chosen = await notify('information', message, label);
	if (chosen === label) {
		await vscode.commands.executeCommand(command);
	}
}
