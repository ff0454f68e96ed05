import * as vscode from 'vscode';
import { pathOfPlace, placeOfPath, type Place } from './place.ts';

/** `forge://<account>/<~owner>/<repository>/<revision>/<path>` */
export function uriOfPlace(place: Place): vscode.Uri {
	return vscode.Uri.from({ scheme: 'forge', authority: place.connectionKey, path: pathOfPlace(place) });
}

/** The place that an address leads to; `undefined` for addresses of others and for none at all. */
export function placeOfUri({
	scheme,
	authority,
	path,
}: Pick<vscode.Uri, 'scheme' | 'authority' | 'path'>): Place | undefined {
	return scheme === 'forge' ? placeOfPath(authority, path) : undefined;
}
