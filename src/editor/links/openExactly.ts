import * as vscode from 'vscode';

/**
 * Opens exactly this address. Parsing and formatting a Uri changes the escapes of some addresses, such as one inside a
 * query or a folder `C#`; a string, missing in the typings, goes through unchanged. The editor may ask first; the
 * promise stays pending if the user copies the address there.
 */
export async function openExactly(address: string): Promise<void> {
	await Reflect.apply(vscode.env.openExternal, vscode.env, [address]);
}
