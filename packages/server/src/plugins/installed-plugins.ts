import { createHttpJson } from './http-json/http-json.ts'
import type { Plugin, Plugins } from './plugin.ts'
import type { PluginSettings } from './plugin-settings.ts'

/** The plugins that the service has. Add a line for a new one. */
export function installedPlugins(settings: PluginSettings): Plugins {
  const plugins: Plugin[] = [createHttpJson(settings)]
  return new Map(plugins.map(plugin => [plugin.name, plugin]))
}
