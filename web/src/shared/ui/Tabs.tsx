import type { ReactNode } from "react";
import { Tab as AriaTab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components";

export interface TabDefinition {
  id: string;
  title: ReactNode;
  content: ReactNode;
}

/** Parts of a page, one shown at a time; the owner keeps the chosen one in the address. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly TabDefinition[];
  selected: string;
  onSelect: (id: string) => void;
}) {
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList
        aria-label={label}
        className="flex gap-5 overflow-x-auto border-b border-line px-0.5"
      >
        {tabs.map((tab) => (
          <AriaTab
            key={tab.id}
            id={tab.id}
            className="-mb-px flex h-9 touch-44 cursor-default items-center border-b-2 border-transparent font-medium whitespace-nowrap text-muted outline-offset-[-2px] data-hovered:text-text data-selected:border-accent data-selected:text-text"
          >
            {tab.title}
          </AriaTab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="pt-5 outline-offset-4">
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
